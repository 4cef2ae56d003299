//! [`SymmetryGroup`]: the symmetries of a game.

use crate::ground::{BaseId, MoveId, RoleId};
use crate::id::IdVec;

/// An exchange of roles, fluents and moves: what each becomes. Initial states, legal
/// moves, next states, terminal states and goals become those of what they are exchanged
/// for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// The image of every role.
    pub roles: IdVec<RoleId, RoleId>,
    /// The image of every fluent.
    pub bases: IdVec<BaseId, BaseId>,
    /// The image of every move.
    pub moves: IdVec<MoveId, MoveId>,
}

/// The symmetries of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymmetryGroup {
    /// Symmetries of which all others are products. None of them is the identity.
    pub generators: Vec<Symmetry>,
    /// The number of symmetries with the identity, `None` beyond 2^128.
    pub order: Option<u128>,
    /// Whether the search was complete. If it was not, there may be more symmetries.
    pub is_complete: bool,
}
