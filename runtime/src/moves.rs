//! Moves by name: finds the moves of an engine that are named in text from files,
//! networks and people.

use std::fmt;

use crate::engine::{Engine, Move, Position, Role};
use crate::kif::normalise;

/// Why some names do not form a joint move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JointMoveError {
    /// There is not exactly one move per role.
    Count {
        /// The number of roles.
        roles: usize,
        /// The number of moves given.
        moves: usize,
    },
    /// A move is not legal.
    Illegal {
        /// The role's name.
        role: String,
        /// The move as given.
        mv: String,
    },
}

impl fmt::Display for JointMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { roles, moves } => write!(f, "{moves} moves for {roles} roles"),
            Self::Illegal { role, mv } => write!(f, "{role} cannot play {mv}"),
        }
    }
}

impl std::error::Error for JointMoveError {}

/// The legal move of a role that has this name, in any case and spacing.
#[must_use]
pub fn find_move(engine: &dyn Engine, role: Role, legal: &[Move], name: &str) -> Option<Move> {
    let name = normalise(name);
    let is_named = |&&mv: &&Move| normalise(&engine.move_name(role, mv)) == name;
    legal.iter().find(is_named).copied()
}

/// The joint move that has these names, one per role in role order.
///
/// # Errors
/// If there is not exactly one name per role, or one is not a legal move of its role
/// in `position`.
pub fn find_joint_move(
    engine: &dyn Engine,
    position: &Position,
    names: &[String],
) -> Result<Vec<Move>, JointMoveError> {
    if names.len() != position.legal.len() {
        return Err(JointMoveError::Count {
            roles: position.legal.len(),
            moves: names.len(),
        });
    }
    let moves = names.iter().zip(&position.legal).enumerate();
    let find = |(role, (name, legal)): (Role, (&String, &Vec<Move>))| {
        find_move(engine, role, legal, name).ok_or_else(|| JointMoveError::Illegal {
            role: engine.roles()[role].clone(),
            mv: name.clone(),
        })
    };
    moves.map(find).collect()
}

/// The names of a joint move as KIF, in role order.
#[must_use]
pub fn joint_move_names(engine: &dyn Engine, joint: &[Move]) -> Vec<String> {
    let moves = joint.iter().enumerate();
    moves
        .map(|(role, &mv)| engine.move_name(role, mv))
        .collect()
}
