//! A position that becomes a node, and the joint moves that value its moves.

use gdl_runtime::engine::{Pick, Role};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::expander::Positions;

/// A position that becomes a node.
pub(super) struct Leaf<'a> {
    pub(super) positions: &'a Positions,
    pub(super) index: usize,
}

impl Leaf<'_> {
    /// The legal moves of a role.
    pub(super) fn moves(&self, role: Role) -> &[Pick] {
        self.positions.moves(self.index, role)
    }

    /// Appends each move of the role that decides.
    pub(super) fn append_moves(&self, decider: Role, roles: usize, picks: &mut Vec<Option<Pick>>) {
        for &pick in self.moves(decider) {
            picks.extend((0..roles).map(|role| (role == decider).then_some(pick)));
        }
    }

    /// Appends each move of each role with random moves of the others.
    pub(super) fn append_with_replies(
        &self,
        roles: usize,
        random: &mut Xoshiro256PlusPlus,
        picks: &mut Vec<Option<Pick>>,
    ) {
        for own in 0..roles {
            for &pick in self.moves(own) {
                picks.extend((0..roles).map(|role| {
                    let moves = self.moves(role);
                    match role == own {
                        true => Some(pick),
                        false => Some(moves[random.random_range(0..moves.len())]),
                    }
                }));
            }
        }
    }
}
