//! A game under way: what has been played of a fixture, and when that is told.

use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Move, State};

use super::{Fixture, SeatReport};

/// A game under way is told of no more often than this, so that quick games cost
/// nobody anything.
const PAUSE: Duration = Duration::from_secs(1);

/// A fixture, and what has been played of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// What is played.
    pub fixture: Fixture,
    /// The joint move of every round, numbered as the venue's engine does.
    pub moves: Vec<Vec<Move>>,
    /// What the player at every role did.
    pub seats: Vec<SeatReport>,
    /// How often the game was broken off and taken up again: by players who knew
    /// nothing of what those before them had found out.
    pub interruptions: u32,
}

impl Course {
    /// A game of which nothing has been played.
    #[must_use]
    pub fn new(fixture: Fixture) -> Self {
        Self {
            moves: Vec::new(),
            seats: vec![SeatReport::default(); fixture.seats.len()],
            interruptions: 0,
            fixture,
        }
    }

    /// The state that the moves lead to.
    pub fn state(&self, engine: &mut dyn Engine) -> State {
        let initial = engine.initial();
        let moves = self.moves.iter();
        moves.fold(initial, |state, joint| engine.next(&state, joint))
    }
}

/// When a game was last told of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told(Instant);

impl Told {
    /// It begins, and nothing need be told yet.
    pub(super) fn now() -> Self {
        Self(Instant::now())
    }

    /// Whether the game is to be told of again, which then counts as done.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = now - self.0 >= PAUSE;
        if due {
            self.0 = now;
        }
        due
    }
}
