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
    /// The conditions on it, and on fluents that no move changes, that the end of the game and
    /// the goals depend on: two states of the part that fulfil the same ones are worth the same
    /// to the whole game.
    pub conditions: FluentConditions,
}

/// Finds the parts of a game when first called, and caches them; none if there is only one or
/// if they were not found. Fluents that no move changes, and moves that change nothing, belong
/// to no part.
pub type FactorFinder = Arc<dyn Fn() -> Arc<[GameFactor]> + Send + Sync>;
