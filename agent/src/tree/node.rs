//! The identity of a node.

use std::num::NonZeroU32;

/// A node of a [`SearchTree`](super::SearchTree).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeNodeId(pub(super) NonZeroU32);

impl TreeNodeId {
    pub(super) fn new(index: usize) -> Option<Self> {
        u32::try_from(index + 1)
            .ok()
            .and_then(NonZeroU32::new)
            .map(Self)
    }

    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}
