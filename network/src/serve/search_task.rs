//! Search tasks: what a match wants its search to think about.

use gdl_runtime::engine::{Position, Role, State};
use std::time::Instant;

/// A state to search from.
#[derive(Clone)]
pub struct SearchTask {
    /// Identifies the task within the match.
    pub number: u64,
    /// The zero-based index of the round.
    pub round: usize,
    /// Our role.
    pub role: Role,
    /// The state, which is not terminal.
    pub state: State,
    /// The legal moves of the state.
    pub position: Position,
    /// When the result is needed; `None` while no one waits for it.
    pub deadline: Option<Instant>,
    /// Whether the time until then is the start clock, in which agents prepare.
    pub prepares: bool,
}
