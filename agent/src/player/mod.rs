//! Players, which choose a role's moves in a match.

pub mod random;
pub mod search_player;

use gdl_runtime::engine::{Engine, Move, Position, Role, State};

use crate::search::budget::SearchBudget;
use crate::search::report::SearchReport;
use crate::search::result::SearchResult;

/// What a player is asked for: a role's move in a state.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The engine of the game, which names moves and shows states.
    pub engine: &'a dyn Engine,
    /// The role to move.
    pub role: Role,
    /// The state, which is not terminal.
    pub state: &'a State,
    /// Its legal moves.
    pub position: &'a Position,
    /// The budget of the move.
    pub budget: SearchBudget,
}

impl Turn<'_> {
    /// The legal moves of the role to move.
    #[must_use]
    pub fn legal(&self) -> &[Move] {
        self.position
            .legal
            .get(self.role)
            .map_or(&[], Vec::as_slice)
    }
}

/// A player's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It makes a move.
    Play(SearchResult),
    /// It takes back its last choice.
    Undo,
    /// It leaves the match.
    Quit,
}

/// A role that has to move but has no legal move: the rules are at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{role} has no legal move in a state that is not terminal")]
pub struct NoMove {
    /// The role's name.
    pub role: String,
}

/// Plays a role.
pub trait Player: Send {
    /// The name of the player.
    fn name(&self) -> String;

    /// Prepares for a match from the turn's state, before its first move, within the
    /// turn's budget. `watch` is called with the progress.
    fn prepare(&mut self, _turn: &Turn<'_>, _watch: &mut dyn FnMut(&SearchReport)) {}

    /// Uses time in which it has nothing to decide: before the match, or where its role has
    /// one legal move. `watch` is called with the progress of its search.
    fn use_idle_time(&mut self, _turn: &Turn<'_>, _watch: &mut dyn FnMut(&SearchReport)) {}

    /// Chooses a legal move. `watch` is called with the progress of its search.
    ///
    /// # Errors
    /// If there is no legal move.
    fn choose(
        &mut self,
        turn: &Turn<'_>,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Reply, NoMove>;
}

pub(crate) fn no_move(turn: &Turn<'_>) -> NoMove {
    NoMove {
        role: turn.engine.roles()[turn.role].clone(),
    }
}
