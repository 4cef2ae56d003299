//! Contests: many games of one rule sheet between agents, and what they show.
//!
//! In: agents, by number, and a [`Schedule`] of [`Fixture`]s. Out: a [`Played`]
//! for each, in the order in which they end, and before that the [`Course`] of
//! each, as far as it has come. Where they are played is a [`Venue`]; what they show is arithmetic that knows of no game ([`score`],
//! [`interval`], [`elo`], [`sprt`]).
//!
//! A fixture says what is to be played, not how it goes: side by side, the games
//! of a machine draw from common random numbers, so that only the same fixtures on
//! the same number of threads give the same games again.

pub mod course;
pub mod elo;
pub mod interval;
pub mod one_by_one;
pub mod schedule;
pub mod score;
pub mod shared;
pub mod side_by_side;
pub mod sprt;

use gdl_runtime::random::SplitMix;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::clock::Allowance;
use crate::matches::{Ending, MatchError};
use crate::player::Thought;

pub use course::Course;
pub use one_by_one::OneByOne;
pub use schedule::Schedule;
pub use shared::SharedEngine;
pub use side_by_side::SideBySide;

/// How much longer than its time a move may take without counting as an
/// overrun: what a network and its host forgive.
pub const TOLERANCE: Duration = Duration::from_millis(50);

/// One game to be played: which agent sits at each role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// The number of an agent for each role.
    pub seats: Vec<usize>,
    /// Seed of all that is random; the games of a set have the same.
    pub seed: u64,
}

impl Fixture {
    /// The seed of the player at a role: far from those of all other roles,
    /// agents and seeds.
    #[must_use]
    pub fn seat_seed(&self, role: usize) -> u64 {
        let agent = self.seats[role] as u64;
        SplitMix::at(SplitMix::at(self.seed, agent), role as u64)
    }
}

/// What came out of a fixture.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// What was played.
    pub course: Course,
    /// The goal value of every role at the end.
    pub goals: Vec<i32>,
    /// How it ended; never by a player's leaving.
    pub ending: Ending,
    /// What a host found wrong, a text a role: at the start, then in every round.
    /// Empty where players are not spoken to over a network.
    pub errors: Vec<Vec<String>>,
}

/// What a player did in a game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SeatReport {
    /// Simulations of all its searches.
    pub simulations: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Moves for which it searched.
    pub searches: u64,
    /// Whether its cutoff ended simulations early; none if it has none.
    pub cuts: Option<bool>,
    /// Moves that were not legal and were replaced. None of our agents makes
    /// any: such a game ends in an error.
    pub illegal: u64,
    /// Moves that took more than their time by more than [`TOLERANCE`], or by more
    /// than a host waits.
    pub overruns: u64,
    /// The most by which a move exceeded its time, overrun or not.
    pub longest_overrun: Duration,
}

impl SeatReport {
    /// Counts a move that took so long, everything included.
    pub fn add(&mut self, thought: &Thought, taken: Duration, allowance: Allowance) {
        let report = &thought.report;
        if report.simulations > 0 {
            self.simulations += report.simulations;
            self.seconds += report.elapsed.as_secs_f64();
            self.searches += 1;
            self.cuts = thought.cuts.or(self.cuts);
        }
        if let Allowance::Time(time) = allowance {
            let excess = taken.saturating_sub(time);
            self.overruns += u64::from(excess > TOLERANCE);
            self.longest_overrun = self.longest_overrun.max(excess);
        }
    }
}

/// What a venue tells.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// Moves were made in a game that is not over.
    UnderWay(Course),
    /// A game is over.
    Ended(Played),
}

/// Somewhere games are played.
pub trait Venue {
    /// Plays all games on to their ends, and tells of each when it is over, until
    /// `hear` breaks off; games under way are then given up. Of long games it tells
    /// as they go on, unless they cannot be taken up again.
    ///
    /// # Errors
    /// If the rules leave a role without a move, a player is not there or answers
    /// with a move that is not legal where that is not replaced, or the venue is
    /// interrupted.
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = Course>,
        hear: &mut dyn FnMut(News) -> ControlFlow<()>,
    ) -> Result<(), MatchError>;
}
