//! What searches by evaluation count.

/// What a search by evaluation has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PuctCounts {
    /// Descents from the root.
    pub descents: u64,
    /// Those that ended at a node whose value was known, so that nothing was evaluated.
    pub known: u64,
    /// Batches of descents.
    pub batches: u64,
    /// Moves in descents.
    pub steps: u64,
    /// States that the network evaluated.
    pub evaluations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The size of the tree in bytes.
    pub bytes: usize,
    /// The greatest depth of a descent.
    pub deepest: usize,
}
