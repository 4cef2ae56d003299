//! The moves made before a choice, for policies that depend on them.

use crate::episode::Episode;

/// The joint moves between the root of the search and a choice, one number per role as
/// in [`Episode::moves`].
#[derive(Debug, Clone, Copy)]
pub struct MoveHistory<'a> {
    roles: usize,
    /// Those inside the tree, which come first.
    inside: &'a [u32],
    outside: &'a [u32],
}

impl<'a> MoveHistory<'a> {
    /// The history of a choice of which no earlier moves are known.
    pub const UNKNOWN: Self = Self {
        roles: 1,
        inside: &[],
        outside: &[],
    };

    /// From the joint moves of this number of roles inside and outside the tree; the last
    /// of them counts only if the moves of all roles are there.
    #[must_use]
    pub fn new(roles: usize, inside: &'a [u32], outside: &'a [u32]) -> Self {
        Self {
            roles,
            inside,
            outside: &outside[..outside.len() - outside.len() % roles],
        }
    }

    /// The moves of a simulation before one of its steps.
    #[must_use]
    pub fn before(episode: &Episode<'a>, step: usize) -> Self {
        let roles = episode.goals.len();
        Self::new(roles, &episode.moves[..step * roles], &[])
    }

    /// A joint move by its distance: 0 for the last one.
    #[must_use]
    pub fn back(&self, distance: usize) -> Option<&'a [u32]> {
        let outside = self.outside.chunks_exact(self.roles).rev();
        let inside = self.inside.chunks_exact(self.roles).rev();
        outside.chain(inside).nth(distance)
    }

    /// Digests of the last 0, 1, 2, … joint moves. Different moves have the same digest
    /// with a probability of 2⁻⁶⁴.
    pub fn digests(self) -> impl Iterator<Item = u64> + use<'a> {
        let longer = move |&(digest, length): &(u64, usize)| {
            let joint = self.back(length)?;
            let digest = joint.iter().fold(digest, |digest, &mv| mix(digest, mv));
            Some((digest, length + 1))
        };
        std::iter::successors(Some((0, 0)), longer).map(|(digest, _)| digest)
    }
}

/// The digest of a sequence and one number more.
#[must_use]
pub fn mix(digest: u64, number: u32) -> u64 {
    let sum = (digest ^ u64::from(number)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let product = (sum ^ sum >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    product ^ product >> 27
}

#[cfg(test)]
mod tests {
    use super::MoveHistory;

    #[test]
    fn moves_are_counted_from_the_last_one() {
        let history = MoveHistory::new(2, &[1, 2, 3, 4], &[5, 6, 7]);
        let back: Vec<_> = (0..4).map(|distance| history.back(distance)).collect();
        assert_eq!(
            back,
            [Some(&[5, 6][..]), Some(&[3, 4]), Some(&[1, 2]), None]
        );
        assert_eq!(MoveHistory::UNKNOWN.digests().count(), 1);
    }

    #[test]
    fn digests_depend_on_moves_and_not_on_where_the_tree_ends() {
        let digests = |inside: &[u32], outside: &[u32]| -> Vec<u64> {
            MoveHistory::new(1, inside, outside).digests().collect()
        };
        let digested = digests(&[1, 2], &[3]);
        assert_eq!(digested, digests(&[1], &[2, 3]));
        assert_eq!((digested.len(), digested[0]), (4, 0));
        assert_eq!(digested[1], digests(&[], &[3])[1]);
        assert_ne!(digested[2], digests(&[], &[3, 2])[2]);
    }
}
