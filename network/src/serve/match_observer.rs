//! Following the matches of a player.

use super::player_event::PlayerEvent;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::State;
use std::fmt;

/// A state that a match has reached.
#[derive(Clone, Copy)]
pub struct ServedState<'a> {
    /// The rules, as the host sent them.
    pub rules: &'a str,
    /// Our role.
    pub role: &'a str,
    /// The agent that plays it.
    pub agent: &'a str,
    /// The state itself.
    pub state: ServedFacts<'a>,
    /// The number of rounds that led to it.
    pub rounds: usize,
    /// The moves of the last of them, one per role; `None` in the initial state.
    pub moves: Option<&'a [String]>,
    /// One goal value per role if the game is over.
    pub goals: Option<&'a [i32]>,
}

/// The facts of a state, or where to get them.
#[derive(Clone, Copy)]
pub enum ServedFacts<'a> {
    /// The engine that now runs the match, and the state as that engine numbers it.
    Numbered(&'a SharedEngine, &'a State),
    /// The roles of the game and the facts themselves, while the match runs on the slow reference
    /// engine, which observers must not share with the search.
    Listed(&'a [String], &'a [String]),
}

/// Follows the matches of a player. The threads that play them call it, so it has to return at
/// once.
pub trait MatchObserver: fmt::Debug + Send + Sync {
    /// The match `id` has reached a state.
    fn reached(&self, id: &str, reached: &ServedState<'_>);

    /// Something else happened in the match `id`, which may not be in progress.
    fn happened(&self, id: &str, event: &PlayerEvent);
}
