//! Following games while they are played.

use crate::schedule::Fixture;
use gdl_runtime::engine::{Move, State};

/// A state that a game has reached.
#[derive(Debug, Clone, Copy)]
pub struct GameProgress<'a> {
    /// The game.
    pub fixture: &'a Fixture,
    /// The number of rounds that led to the state.
    pub rounds: usize,
    /// The joint move of the last of them; empty in the initial state.
    pub led_by: &'a [Move],
    /// The state.
    pub state: &'a State,
}

/// Follows games while they are played. `()` ignores everything.
pub trait GameWatch: Sync {
    /// A game has reached a state. Called by the threads that play, after every round, so it
    /// has to return at once.
    fn reached(&self, progress: &GameProgress<'_>);
}

impl GameWatch for () {
    fn reached(&self, _: &GameProgress<'_>) {}
}
