//! A game of a contest, as a line of its journal.

use agent::contest::{Played, SeatReport};
use agent::matches::Ending;
use runtime::engine::Engine;
use serde::{Deserialize, Serialize};

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its place in the schedule, from 0.
    pub game: u64,
    /// The number of an agent for each role.
    pub seats: Vec<usize>,
    /// The goal value of every role.
    pub goals: Vec<i32>,
    /// Whether it came to its end; else it was too long.
    pub terminal: bool,
    /// What the player at every role did.
    pub players: Vec<SeatLine>,
    /// The joint move of every round, as KIF.
    pub moves: Vec<Vec<String>>,
}

/// What a player did in a game.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SeatLine {
    /// Simulations of all its searches.
    pub simulations: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Moves for which it searched.
    pub searches: u64,
    /// Whether its cutoff ended simulations early; left out where it has none, or
    /// did not make up its mind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<bool>,
    /// Moves that were not legal.
    pub illegal: u64,
    /// Moves that took longer than they might.
    pub overruns: u64,
    /// The most seconds by which a move exceeded its time.
    pub longest_overrun: f64,
}

impl GameLine {
    /// A game that `engine` numbered the moves of.
    #[must_use]
    pub fn new(engine: &dyn Engine, played: &Played) -> Self {
        let names = |joint: &Vec<runtime::engine::Move>| {
            let moves = joint.iter().enumerate();
            moves
                .map(|(role, &mv)| engine.move_name(role, mv))
                .collect()
        };
        Self {
            game: played.fixture.number,
            seats: played.fixture.seats.clone(),
            goals: played.goals.clone(),
            terminal: played.ending == Ending::Terminal,
            players: played.seats.iter().map(SeatLine::new).collect(),
            moves: played.moves.iter().map(names).collect(),
        }
    }
}

impl SeatLine {
    fn new(report: &SeatReport) -> Self {
        Self {
            simulations: report.simulations,
            seconds: report.seconds,
            searches: report.searches,
            cuts: report.cuts,
            illegal: report.illegal,
            overruns: report.overruns,
            longest_overrun: report.longest_overrun.as_secs_f64(),
        }
    }

    /// Joins what a player did in two games.
    pub fn add(&mut self, other: &Self) {
        self.simulations += other.simulations;
        self.seconds += other.seconds;
        self.searches += other.searches;
        self.illegal += other.illegal;
        self.overruns += other.overruns;
        self.longest_overrun = self.longest_overrun.max(other.longest_overrun);
    }
}
