//! [`CanonicalStates`]: the image that stands for all images of a state.

use gdl_runtime::automorphism::Automorphism;
use gdl_runtime::engine::{Move, Role};
use gdl_runtime::layout::Layout;

use super::group::list_members;

/// Finds for each state the same one of its images under a group of symmetries.
///
/// That is the image that comes first when states are compared fluent by fluent, where states in
/// which a fluent holds come before those in which it does not.
///
/// Cost: symmetries that do not lead to the first image are ruled out fluent by fluent, so that
/// usually only a few fluents of a few images are examined, and one image is made.
#[derive(Debug)]
pub struct CanonicalStates {
    /// The symmetries, the identity first.
    members: Vec<Automorphism>,
    /// For each of them, the number of its inverse.
    inverses: Vec<usize>,
    /// For each fluent that some of them move, the fluents that it is the image of: one for each
    /// symmetry.
    preimages: Vec<u32>,
}

impl CanonicalStates {
    /// The canonical states under the group that some symmetries generate, as far as it is
    /// listed; `None` if none of them keeps all roles in their places.
    #[must_use]
    pub fn under(generators: &[Automorphism]) -> Option<Self> {
        let members = list_members(generators);
        let identity = &members.first()?.states;
        let is_inverse = |one: &Automorphism, other: &Automorphism| {
            let states = one.states.then(&other.states);
            states == *identity
        };
        let inverse = |one| members.iter().position(|other| is_inverse(one, other));
        let inverses: Vec<usize> = members.iter().map(inverse).collect::<Option<_>>()?;
        let mut preimages = Vec::new();
        for fluent in 0..identity.fluents.len() {
            let of_inverse = inverses.iter().map(|&inverse| &members[inverse].states);
            let from = of_inverse.map(|inverse| inverse.fluents[fluent]);
            if from.clone().any(|from| from as usize != fluent) {
                preimages.extend(from);
            }
        }
        Some(Self {
            members,
            inverses,
            preimages,
        })
    }

    /// The number of symmetries, the identity among them.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.members.len()
    }

    /// Overwrites a state with the canonical one, using a buffer. Returns the number of a symmetry
    /// that turns the former into the latter; 0 if nothing has changed.
    pub(crate) fn replace(&self, state: &mut Vec<u64>, buffer: &mut Vec<u64>) -> usize {
        let member = self.leading(state).trailing_zeros() as usize;
        if member > 0 {
            buffer.resize(state.len(), 0);
            self.members[member].states.apply(state, buffer);
            std::mem::swap(state, buffer);
        }
        member
    }

    /// The set of symmetries that lead from a state to the canonical one, a bit for each.
    fn leading(&self, state: &[u64]) -> u64 {
        let mut leading = u64::MAX >> (u64::BITS as usize - self.members.len());
        for from in self.preimages.chunks_exact(self.members.len()) {
            let (mut open, mut holding) = (leading, 0);
            while open != 0 {
                let member = open.trailing_zeros() as usize;
                holding |= u64::from(Layout::holds(state, from[member] as usize)) << member;
                open &= open - 1;
            }
            if holding != 0 {
                leading = holding;
            }
            if leading.is_power_of_two() {
                break;
            }
        }
        leading
    }

    /// The move of a state whose image under a symmetry, given by its number, is this one.
    pub(crate) fn move_before(&self, member: usize, role: Role, mv: Move) -> Move {
        Move(self.members[self.inverses[member]].move_image(role, mv.0))
    }

    /// The symmetries other than the identity that leave a canonical state unchanged.
    pub(crate) fn keeping(&self, canonical: &[u64]) -> Vec<&Automorphism> {
        let keeping = self.leading(canonical);
        let members = self.members.iter().enumerate().skip(1);
        let members = members.filter(|(number, _)| keeping >> number & 1 == 1);
        members.map(|(_, member)| member).collect()
    }
}

#[cfg(test)]
mod tests {
    use gdl_runtime::symmetry::StateSymmetry;

    use super::*;

    /// A square whose corners are fluents and moves, with a fifth of each that stays.
    fn square() -> CanonicalStates {
        let exchange = |fluents: [u32; 5]| Automorphism {
            states: StateSymmetry {
                fluents: fluents.into(),
                roles: [0].into(),
            },
            moves: [fluents.into()].into(),
        };
        let generators = [[1, 2, 3, 0, 4], [1, 0, 3, 2, 4]].map(exchange);
        CanonicalStates::under(&generators).expect("there are symmetries")
    }

    #[test]
    fn images_have_one_canonical_state() {
        let square = square();
        let mut canonical = Vec::new();
        for state in 0..32 {
            let (mut image, mut buffer) = (vec![state], Vec::new());
            let member = square.replace(&mut image, &mut buffer);
            for other in &square.members {
                let mut image_of_other = vec![0];
                other.states.apply(&[state], &mut image_of_other);
                square.replace(&mut image_of_other, &mut buffer);
                assert_eq!(image_of_other, image);
            }
            // What holds in the state is what its canonical state holds, mapped back.
            for mv in 0..5 {
                let before = square.move_before(member, 0, Move(mv));
                assert_eq!(image[0] >> mv & 1, state >> before.0 & 1);
            }
            canonical.push(image[0]);
        }
        canonical.sort_unstable();
        canonical.dedup();
        // None, one, two beside or opposite each other, three or four corners.
        assert_eq!(canonical.len(), 2 * 6);
    }

    #[test]
    fn symmetric_states_are_known() {
        let square = square();
        let keeping = |state| square.keeping(&[state]).len();
        assert_eq!(
            [0, 0b1, 0b11, 0b101, 0b1_0000].map(keeping),
            [7, 1, 1, 3, 7]
        );
    }
}
