//! [`SymmetryGroup`]: the symmetries of a game.

use crate::ground::{BaseId, MoveId, RoleId};
use crate::id::IdVec;

/// A permutation of roles, fluents and moves, given by the image of each. Initial
/// states, legal moves, next states, terminal states and goals are mapped to those of
/// the images.
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
    /// Symmetries that generate all others as products. None of them is the identity.
    pub generators: Vec<Symmetry>,
    /// The number of symmetries, including the identity; `None` beyond 2^128.
    pub order: Option<u128>,
    /// Whether the search was complete. If it was not, there may be more symmetries.
    pub is_complete: bool,
}
