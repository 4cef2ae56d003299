//! Where simulations leave the tree, and what new nodes are credited with.

/// How simulations leave the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Growth {
    /// Whether a simulation goes on inside the tree where a move made for the first time leads
    /// to a known state.
    pub passes_known: bool,
    /// Whether new nodes are credited with the first move of their playouts. It is the same
    /// for all [playouts of a leaf](super::settings::SearchSettings::playouts_per_leaf),
    /// and the moves of every node are entered at once, which takes memory.
    pub credits_first: bool,
}
