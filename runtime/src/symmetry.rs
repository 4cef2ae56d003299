//! [`StateSymmetry`]: what states become when roles and fluents are exchanged.

use std::sync::Arc;

/// A permutation of roles and fluents that preserves a game: a state is worth as much to a
/// role as its image is to the role's image.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StateSymmetry {
    /// The image of every fluent, by the numbers of the bits of states.
    pub fluents: Box<[u32]>,
    /// The image of every role.
    pub roles: Box<[usize]>,
}

/// Finds symmetries of a game when first called, and caches them: generators of all others,
/// as far as they were found.
pub type SymmetryFinder = Arc<dyn Fn() -> Arc<[StateSymmetry]> + Send + Sync>;

impl StateSymmetry {
    /// The identity, in a game with this number of fluents and roles.
    #[must_use]
    pub fn identity(fluents: usize, roles: usize) -> Self {
        Self {
            fluents: (0..fluents as u32).collect(),
            roles: (0..roles).collect(),
        }
    }

    /// This symmetry followed by another.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let fluents = self.fluents.iter();
        let roles = self.roles.iter();
        Self {
            fluents: fluents.map(|&to| other.fluents[to as usize]).collect(),
            roles: roles.map(|&to| other.roles[to]).collect(),
        }
    }

    /// Overwrites `image` with the image of a state, given as its words.
    #[inline]
    pub fn apply(&self, state: &[u64], image: &mut [u64]) {
        image.fill(0);
        for (fluents, &word) in self.fluents.chunks(64).zip(state) {
            let mut rest = word;
            while rest != 0 {
                let to = fluents[rest.trailing_zeros() as usize] as usize;
                image[to / 64] |= 1 << (to % 64);
                rest &= rest - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_images() {
        let turn = StateSymmetry {
            fluents: [1, 2, 0].into(),
            roles: [1, 0].into(),
        };
        let twice = turn.then(&turn);
        assert_eq!(*twice.fluents, [2, 0, 1]);
        assert_eq!(
            twice.then(&turn).fluents,
            StateSymmetry::identity(3, 2).fluents
        );
        assert_eq!(*twice.roles, [0, 1]);
        let mut image = [7];
        turn.apply(&[0b101], &mut image);
        assert_eq!(image, [0b011]);
    }

    #[test]
    fn images_cross_words() {
        let fluents = (0..70).map(|fluent| 69 - fluent).collect();
        let mirror = StateSymmetry {
            fluents,
            roles: [0].into(),
        };
        let mut image = [0; 2];
        mirror.apply(&[1, 1 << 3], &mut image);
        assert_eq!(image, [1 << 2, 1 << 5]);
    }
}
