//! Events about matches that are being played elsewhere.

use gdl_contests::report::cross_table::CrossTable;
use serde::Serialize;

use super::move_text::MoveText;

/// What is being played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveEvent {
    /// What it is, in a few words.
    pub title: String,
    /// Whether it has ended, so that nothing follows.
    pub ended: bool,
}

/// A board on which a match is being played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveBoardEvent {
    /// The board's place among the boards of the page, which a later match may take over.
    pub place: usize,
    /// The game, and which match of it.
    pub title: String,
    /// Who plays.
    pub players: Vec<LivePlayer>,
    /// The number of rounds played.
    pub rounds: usize,
    /// The state as SVG.
    pub picture: String,
    /// The moves that led to it, one per role; empty in the initial state.
    pub led_by: Vec<MoveText>,
    /// The goal value of every role once the match is over; empty before.
    pub goals: Vec<i32>,
    /// How it ended, if it ended without goals.
    pub ending: Option<String>,
    /// What went wrong last.
    pub note: Option<String>,
}

/// A role of a match, and who plays it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LivePlayer {
    /// The role.
    pub role: String,
    /// Who plays it: an agent's text, an address or a name.
    pub name: String,
    /// The number of its moves that were late or missing.
    pub late: u64,
    /// The number of its moves that were not legal.
    pub illegal: u64,
}

/// How contests stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingsEvent {
    /// The number of games that are over, those of earlier runs included.
    pub done: u64,
    /// The number of games that are to be played in all.
    pub requested: u64,
    /// All agents against all, for each game and budget.
    pub tables: Vec<CrossTable>,
    /// Contests with a number of agents other than two.
    pub scores: Vec<ScoresEvent>,
}

/// The scores of a contest of one agent, or of three and more in the same games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoresEvent {
    /// The rule sheet's name.
    pub game: String,
    /// What a move may cost, as text.
    pub conditions: String,
    /// The agents.
    pub agents: Vec<AgentScore>,
}

/// The score of an agent, from 0 to 1, with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentScore {
    /// The agent as text.
    pub agent: String,
    /// Its score, if a game is over.
    pub score: Option<f64>,
    /// The lower end of the interval.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// The number of its moves that were not legal.
    pub illegal: u64,
    /// The number of its moves that exceeded their time.
    pub overruns: u64,
}
