//! A finished game, as a line of a contest's journal.

use crate::configuration::ContestConfiguration;
use crate::game_record::FinishedGame;
use gdl_agent::matches::Ending;
use gdl_agent::matches::PlayerReport;
use gdl_runtime::engine::{Engine, Move};
use gdl_runtime::moves::joint_move_names;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its zero-based index in the schedule.
    pub game: u64,
    /// The index of the agent that played each role, in role order.
    #[serde(rename = "seats")]
    pub agents: Vec<usize>,
    /// The goal value of every role.
    pub goals: Vec<i32>,
    /// Whether it reached a terminal state; otherwise it was given up as too long.
    pub terminal: bool,
    /// What the player of each role did, in role order.
    pub players: Vec<PlayerLine>,
    /// How often it was interrupted and resumed, each time by new players.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub interruptions: u32,
    /// The joint move of every round, as KIF.
    pub moves: Vec<Vec<String>>,
}

/// Whether a count is zero, and so left out of a line.
pub(crate) fn is_zero<N: Default + PartialEq>(count: &N) -> bool {
    *count == N::default()
}

/// What a player did in a game or, added up, in several.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PlayerLine {
    /// The number of simulations of all its searches; descents where it searches by evaluation.
    pub simulations: u64,
    /// The number of those that ended at a node whose value was known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub known: u64,
    /// The number of states that a learned evaluation valued.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub evaluations: u64,
    /// The seconds that these took.
    pub seconds: f64,
    /// The number of moves for which it searched.
    pub searches: u64,
    /// Whether its cutoff ended simulations early; absent if it has no cutoff, or one
    /// that was still undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<bool>,
    /// What a champion learned and how it played, in words; absent if it is no
    /// champion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<String>,
    /// The number of moves that were not legal.
    pub illegal: u64,
    /// The number of moves that exceeded their time; in hosted matches, that were late or
    /// missing.
    pub overruns: u64,
    /// The greatest number of seconds by which a move exceeded its time.
    pub longest_overrun: f64,
}

impl GameLine {
    /// A game whose moves `engine` numbered.
    #[must_use]
    pub fn new(engine: &dyn Engine, played: &FinishedGame) -> Self {
        let record = &played.record;
        Self {
            game: record.fixture.number,
            agents: record.fixture.agents.clone(),
            goals: played.goals.clone(),
            terminal: played.ending == Ending::Terminal,
            players: record.players.iter().map(PlayerLine::new).collect(),
            interruptions: record.interruptions,
            moves: joint_move_texts(engine, &record.moves),
        }
    }

    /// Whether the schedule of a contest has this game.
    #[must_use]
    pub fn is_of(&self, configuration: &ContestConfiguration) -> bool {
        let expected = configuration.schedule().fixture(self.game).agents;
        let roles = expected.len();
        let complete = self.goals.len() == roles && self.players.len() == roles;
        complete && self.agents == expected
    }
}

/// Joint moves as KIF.
pub(super) fn joint_move_texts(engine: &dyn Engine, moves: &[Vec<Move>]) -> Vec<Vec<String>> {
    let names = |joint: &Vec<Move>| joint_move_names(engine, joint);
    moves.iter().map(names).collect()
}

impl PlayerLine {
    pub(super) fn new(report: &PlayerReport) -> Self {
        Self {
            simulations: report.simulations,
            known: report.known,
            evaluations: report.evaluations,
            seconds: report.seconds,
            searches: report.searches,
            cuts: report.cuts,
            champion: report.champion.clone(),
            illegal: report.illegal,
            overruns: report.overruns,
            longest_overrun: report.longest_overrun.as_secs_f64(),
        }
    }

    pub(super) fn report(&self) -> PlayerReport {
        PlayerReport {
            simulations: self.simulations,
            known: self.known,
            evaluations: self.evaluations,
            seconds: self.seconds,
            searches: self.searches,
            cuts: self.cuts,
            champion: self.champion.clone(),
            illegal: self.illegal,
            overruns: self.overruns,
            longest_overrun: Duration::try_from_secs_f64(self.longest_overrun).unwrap_or_default(),
        }
    }

    /// Adds what a player did in another game, except for its cutoff and what it
    /// learned.
    pub fn add(&mut self, other: &Self) {
        self.simulations += other.simulations;
        self.known += other.known;
        self.evaluations += other.evaluations;
        self.seconds += other.seconds;
        self.searches += other.searches;
        self.illegal += other.illegal;
        self.overruns += other.overruns;
        self.longest_overrun = self.longest_overrun.max(other.longest_overrun);
    }
}
