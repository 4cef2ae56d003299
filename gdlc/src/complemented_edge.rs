//! [`ComplementedEdge`]: a node of a graph or its negation, in one word.

use crate::id::Id;
use std::fmt;
use std::marker::PhantomData;

/// The value of a node or its negation.
///
/// And-inverter graphs negate on their edges, so that a formula and its negation
/// share one node (Kuehlmann, Paruthi, Krohm and Ganai, "Robust Boolean reasoning
/// for equivalence checking and functional property verification", 2002).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComplementedEdge<I> {
    bits: u32,
    id: PhantomData<I>,
}

impl<I> ComplementedEdge<I> {
    /// Always true, in graphs whose node 0 is the constant.
    pub const TRUE: Self = Self::from_bits(0);
    /// Always false, in graphs whose node 0 is the constant.
    pub const FALSE: Self = Self::from_bits(1);

    const fn from_bits(bits: u32) -> Self {
        Self {
            bits,
            id: PhantomData,
        }
    }

    /// Twice the node's index, plus one if inverted.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Whether it is the negation of the node's value.
    #[must_use]
    pub const fn inverted(self) -> bool {
        self.bits & 1 != 0
    }

    /// The opposite if `condition`, otherwise the same.
    #[must_use]
    pub const fn invert_if(self, condition: bool) -> Self {
        Self::from_bits(self.bits ^ condition as u32)
    }
}

impl<I: Id> ComplementedEdge<I> {
    /// The value of a node.
    ///
    /// # Panics
    /// If the graph has more than 2^31 nodes; budgets end a compilation before.
    #[must_use]
    pub fn of(node: I) -> Self {
        let bits = u32::try_from(node.index() * 2);
        Self::from_bits(bits.expect("budgets keep every graph below 2^31 nodes"))
    }

    /// The node.
    #[must_use]
    pub fn node(self) -> I {
        I::new((self.bits >> 1) as usize)
    }
}

impl<I> std::ops::Not for ComplementedEdge<I> {
    type Output = Self;
    fn not(self) -> Self {
        self.invert_if(true)
    }
}

impl<I: Id> fmt::Debug for ComplementedEdge<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.inverted() { "!" } else { "" };
        write!(f, "{sign}n{}", self.node().index())
    }
}
