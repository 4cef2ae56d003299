//! The events that a page is sent.

use serde::Serialize;

use super::live::{LiveBoardEvent, LiveEvent, StandingsEvent};
use super::move_text::{MoveText, ValuedMove};
use super::tree::TreeEvent;
use crate::findings::Finding;
use crate::playground::RandomGames;

/// An event for a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum PageEvent {
    /// What can be opened, and what agents can be made of.
    Library(LibraryEvent),
    /// A game was opened.
    Opened(OpenedEvent),
    /// The state that is shown.
    Position(Box<PositionEvent>),
    /// The moves of the match so far, with their values.
    History(HistoryEvent),
    /// An agent of the match searches.
    Thinking(ThinkingEvent),
    /// What an analysis has found.
    Analysis(AnalysisEvent),
    /// What is known of the open nodes of a search tree.
    Tree(TreeEvent),
    /// The findings in a rule sheet.
    Findings(FindingsEvent),
    /// What random games were like.
    Measured(RandomGames),
    /// What is being played elsewhere.
    Live(LiveEvent),
    /// A board of what is being played elsewhere.
    LiveBoard(Box<LiveBoardEvent>),
    /// How contests that are being played stand.
    Standings(StandingsEvent),
    /// A request failed.
    Failed {
        /// Why.
        message: String,
    },
}

/// What can be opened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LibraryEvent {
    /// The names of games and records, those that the user named first.
    pub entries: Vec<LibraryEntry>,
    /// The entry to open first.
    pub first: Option<String>,
    /// The components of agents.
    pub components: Vec<ComponentEntry>,
}

/// A game or record that can be opened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LibraryEntry {
    /// The name by which it is opened.
    pub name: String,
    /// `game` or `record`.
    pub kind: &'static str,
}

/// A component of agents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComponentEntry {
    /// Its name in agent texts.
    pub name: &'static str,
    /// The purpose of its slot.
    pub slot: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Whether several components of its slot can be combined.
    pub several: bool,
}

/// A game that was opened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenedEvent {
    /// Its name.
    pub name: String,
    /// The roles, in order.
    pub roles: Vec<String>,
    /// The engine that plays it.
    pub engine: String,
    /// The number of fluents, if the engine knows it.
    pub fluents: Option<usize>,
    /// The number of moves of all roles, if the engine knows it.
    pub moves: Option<usize>,
    /// The number of conjunctions of its propnet, if it was compiled when it was opened.
    pub gates: Option<usize>,
    /// The rule sheet.
    pub rules: String,
}

/// A state that is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PositionEvent {
    /// The number of rounds that led to it.
    pub round: usize,
    /// The number of rounds of the match.
    pub rounds: usize,
    /// The state as SVG.
    pub picture: String,
    /// Facts that hold here and did not hold one round before.
    pub added: Vec<String>,
    /// Facts that held one round before and no longer hold.
    pub removed: Vec<String>,
    /// The moves that led here, one per role; empty in the initial state.
    pub led_by: Vec<MoveText>,
    /// The legal moves of every role, at most [`MOST_MOVES`] of each.
    pub legal: Vec<Vec<MoveText>>,
    /// The number of legal moves of every role.
    pub counts: Vec<usize>,
    /// For every role, whether the match waits here for a person to choose its move.
    pub asked: Vec<bool>,
    /// Whether the game is over.
    pub terminal: bool,
    /// The highest goal value of every role.
    pub goals: Vec<i32>,
    /// What went wrong in this round of the match or the last one, such as an illegal answer, and
    /// why the match does not go on, if a role cannot move.
    pub note: Option<String>,
}

/// The maximum number of moves of a role that a page lists.
pub const MOST_MOVES: usize = 4000;

/// The moves of a match, from the first round on in which something has changed since the last of
/// these events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryEvent {
    /// The number of rounds before that one, of which nothing has changed.
    pub from: usize,
    /// The moves of every further round, one per role.
    pub moves: Vec<Vec<String>>,
    /// For every further state, what each role can expect there, from 0 to 100, where it is known.
    pub values: Vec<Vec<Option<f64>>>,
    /// Who plays: an agent's text, or `person`.
    pub players: Vec<String>,
    /// Whether the agents are paused.
    pub paused: bool,
}

/// A search for a move of the match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThinkingEvent {
    /// The role that searches.
    pub role: usize,
    /// Simulations so far.
    pub simulations: u64,
    /// Nodes in its tree.
    pub nodes: usize,
    /// Whether it prepares for the match.
    pub prepares: bool,
}

/// What an analysis has found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnalysisEvent {
    /// Which of the analysing agents, by its index.
    pub index: usize,
    /// The agent as text.
    pub agent: String,
    /// The number of rounds before the state.
    pub round: usize,
    /// The role whose moves are valued.
    pub role: usize,
    /// Simulations of this state so far.
    pub simulations: u64,
    /// Simulations per second.
    pub rate: f64,
    /// Nodes in its tree.
    pub nodes: usize,
    /// Whether further search cannot change the result.
    pub exhausted: bool,
    /// The moves, the best known first and the others by visits, at most 60.
    pub moves: Vec<ValuedMove>,
    /// The joint moves that are expected to follow.
    pub variation: Vec<Vec<MoveText>>,
    /// What a champion has learned and chosen.
    pub choice: Option<String>,
}

/// The findings in a rule sheet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingsEvent {
    /// The number that the request gave.
    pub version: u64,
    /// Whether the rule sheet can be played.
    pub playable: bool,
    /// The findings, by position.
    pub findings: Vec<Finding>,
}
