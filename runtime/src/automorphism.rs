//! [`Automorphism`]: a symmetry of states and moves.

use std::sync::Arc;

use crate::symmetry::StateSymmetry;

/// A permutation of roles, fluents and moves that preserves the rules of a game: if a move
/// leads from one state to another, its image leads from the image of the one to the image of
/// the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Automorphism {
    /// The images of states and roles.
    pub states: StateSymmetry,
    /// For every role, the images of its moves: numbers of moves of the role's image.
    pub moves: Box<[Box<[u32]>]>,
}

/// Finds automorphisms of a game when first called, and caches them: generators of all others,
/// as far as they were found. They preserve the initial state.
pub type AutomorphismFinder = Arc<dyn Fn() -> Arc<[Automorphism]> + Send + Sync>;

impl Automorphism {
    /// The identity, in a game with this number of fluents and these numbers of moves of each
    /// role.
    #[must_use]
    pub fn identity(fluents: usize, moves: impl IntoIterator<Item = usize>) -> Self {
        let moves = moves.into_iter().map(|moves| (0..moves as u32).collect());
        let moves: Box<[Box<[u32]>]> = moves.collect();
        Self {
            states: StateSymmetry::identity(fluents, moves.len()),
            moves,
        }
    }

    /// This automorphism followed by another.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let roles = self.states.roles.iter().zip(&self.moves);
        let moves = roles.map(|(&role, moves)| {
            let images = moves.iter();
            images.map(|&mv| other.moves[role][mv as usize]).collect()
        });
        Self {
            states: self.states.then(&other.states),
            moves: moves.collect(),
        }
    }

    /// The number of the image of a role's move, which is a move of the role's image.
    #[inline]
    #[must_use]
    pub fn move_image(&self, role: usize, mv: u32) -> u32 {
        self.moves[role][mv as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two roles with two moves each: roles are exchanged, and the moves of the first with it.
    #[test]
    fn moves_follow_their_roles() {
        let exchange = Automorphism {
            states: StateSymmetry {
                fluents: [1, 0].into(),
                roles: [1, 0].into(),
            },
            moves: [[1, 0].into(), [0, 1].into()].into(),
        };
        let twice = exchange.then(&exchange);
        assert_eq!(*twice.states.roles, [0, 1]);
        // The first role's move 0 becomes the second's move 1, and that the first's move 1.
        assert_eq!(twice.move_image(0, 0), 1);
        assert_eq!(twice.move_image(1, 0), 1);
        assert_eq!(twice.then(&twice), Automorphism::identity(2, [2, 2]));
    }
}
