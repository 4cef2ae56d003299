//! A game of a contest: what is known of it while it is played, and how it ended.

use crate::schedule::Fixture;
use gdl_agent::matches::{Ending, PlayerReport};
use gdl_runtime::engine::{Engine, Move, State};

/// A fixture, and what has been played of it so far.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The game as it was scheduled.
    pub fixture: Fixture,
    /// The joint move of every round, numbered as the runner's engine numbers moves.
    pub moves: Vec<Vec<Move>>,
    /// What the player of each role did, in role order.
    pub players: Vec<PlayerReport>,
    /// How often the game was interrupted and resumed, each time by new players, who
    /// know nothing of what the players before them had found out.
    pub interruptions: u32,
}

impl GameRecord {
    /// A game in which no move has been made.
    #[must_use]
    pub fn new(fixture: Fixture) -> Self {
        Self {
            moves: Vec::new(),
            players: vec![PlayerReport::default(); fixture.agents.len()],
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

/// A game that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedGame {
    /// What was played.
    pub record: GameRecord,
    /// The goal value of every role in the last state.
    pub goals: Vec<i32>,
    /// How it ended; never [`Ending::Quit`].
    pub ending: Ending,
    /// What a host found wrong, one text per role: at the start, then in every round.
    /// Empty if the game was not hosted.
    pub errors: Vec<Vec<String>>,
}
