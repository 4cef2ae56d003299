//! Players: whoever chooses a role's moves in a match.

pub mod random;
pub mod search_player;

use std::fmt;

use gdl_runtime::engine::{Engine, Move, Position, Role, State};

use crate::search::budget::SearchBudget;
use crate::search::report::SearchReport;
use crate::search::result::SearchResult;

/// What a player is asked to move on.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// Names moves and shows states.
    pub engine: &'a dyn Engine,
    /// Who has to move.
    pub role: Role,
    /// The state, not terminal.
    pub state: &'a State,
    /// Its legal moves.
    pub position: &'a Position,
    /// What the move may cost.
    pub budget: SearchBudget,
}

impl Turn<'_> {
    /// The legal moves of the role that is asked.
    #[must_use]
    pub fn legal(&self) -> &[Move] {
        self.position
            .legal
            .get(self.role)
            .map_or(&[], Vec::as_slice)
    }
}

/// What a player answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It moves.
    Play(SearchResult),
    /// It takes back its last choice.
    Undo,
    /// It leaves the match.
    Quit,
}

/// A role that has to move and cannot: the rules are at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMove {
    /// The role's name.
    pub role: String,
}

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has no legal move in a state that is not terminal",
            self.role
        )
    }
}

impl std::error::Error for NoMove {}

/// Someone who plays a role.
pub trait Player: Send {
    /// What to call it.
    fn name(&self) -> String;

    /// Chooses a legal move. `watch` hears of a search now and then.
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
