//! [`Elements`]: what symmetries exchange, in a single numbering.

use std::ops::Range;

use super::group::Symmetry;
use crate::ground::{BaseId, MoveId, RoleId};
use crate::id::{Id, IdVec};
use crate::propnet::{LoopId, Propnet};

/// The roles, fluents, moves and recursive atoms of a propnet as consecutive numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements {
    roles: usize,
    bases: usize,
    moves: usize,
    loops: usize,
}

impl Elements {
    pub(super) fn of(net: &Propnet) -> Self {
        Self {
            roles: net.roles.len(),
            bases: net.bases.len(),
            moves: net.moves.len(),
            loops: net.loops.len(),
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.roles + self.bases + self.moves + self.loops
    }

    pub(super) fn role(&self, role: RoleId) -> usize {
        role.index()
    }

    pub(super) fn base(&self, base: BaseId) -> usize {
        self.roles + base.index()
    }

    pub(super) fn mv(&self, mv: MoveId) -> usize {
        self.roles + self.bases + mv.index()
    }

    pub(super) fn atom(&self, atom: LoopId) -> usize {
        self.roles + self.bases + self.moves + atom.index()
    }

    /// The permutation of elements as one of roles, fluents and moves; `None` if it
    /// exchanges different kinds.
    pub(super) fn symmetry(&self, images: &[usize]) -> Option<Symmetry> {
        let moves = self.roles + self.bases;
        Some(Symmetry {
            roles: images_within(images, 0..self.roles)?,
            bases: images_within(images, self.roles..moves)?,
            moves: images_within(images, moves..moves + self.moves)?,
        })
    }
}

fn images_within<I: Id>(images: &[usize], range: Range<usize>) -> Option<IdVec<I, I>> {
    let image = |&image: &usize| {
        let is_within = range.contains(&image);
        is_within.then(|| I::new(image - range.start))
    };
    let found: Option<Vec<I>> = images[range.clone()].iter().map(image).collect();
    found.map(IdVec::from)
}
