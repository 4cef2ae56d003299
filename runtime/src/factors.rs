//! [`GameFactor`]: a part of a game that is a game of its own.

use std::sync::Arc;

use crate::conditions::FluentConditions;

/// Some fluents and the moves that change them: no other part of the game depends on them,
/// and they depend on no other part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFactor {
    /// Its fluents, by the numbers of the bits of states.
    pub fluents: Box<[u32]>,
    /// For every role, its moves that belong to the part.
    pub moves: Box<[Box<[u32]>]>,
    /// What the end of the game and goals need of it and of fluents that no move changes: two
    /// states of the part in which the same of them hold are of the same use to the whole game.
    pub conditions: FluentConditions,
}

/// Finds the parts of a game when they are first asked for, and knows them from then on; none
/// if there is but one or if they were not found. Fluents that no move changes, and moves that
/// change nothing, are in no part.
pub type FactorFinder = Arc<dyn Fn() -> Arc<[GameFactor]> + Send + Sync>;
