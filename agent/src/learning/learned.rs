//! What learning leaves behind, to continue from or to play by.

use std::time::Duration;

use gdl_runtime::features::{FeatureSet, PatternFluent};
use gdl_runtime::layout::Layout;
use gdl_runtime::reachability::ReachabilityFinder;

use super::network::{MAX_HEADS, ValueHeads, ValueNetwork};

/// A network and what is known about how it was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedNetwork {
    /// The network.
    pub network: ValueNetwork,
    /// The features that it sees besides fluents, the numbers of moves and which role reaches what
    /// first.
    pub features: FeatureSet,
    /// The number of bits that it sees of which role reaches what first.
    pub reached: usize,
    /// The largest absolute sum of its first layer that training met.
    pub largest: f32,
    /// The number of games that it learned from.
    pub games: u64,
    /// The time that it learned for.
    pub time: Duration,
}

impl LearnedNetwork {
    /// The features that it sees, with what `finder` finds; `None` if that is not what it has
    /// learned with.
    #[must_use]
    pub fn all_features(&self, finder: Option<&ReachabilityFinder>) -> Option<FeatureSet> {
        let features = self.features.clone();
        if self.reached == 0 {
            return Some(features);
        }
        let program = finder.and_then(|find| find())?;
        let is_same = program.bits() == self.reached;
        is_same.then(|| features.with_reachability(program))
    }

    /// Whether its features and heads are those of a game with this layout.
    #[must_use]
    pub fn fits(&self, layout: &Layout) -> bool {
        let (roles, fluents) = (layout.roles.len(), layout.bases.len());
        let heads = match self.network.heads() {
            ValueHeads::ConstantSum => roles == 2,
            ValueHeads::PerRole(count) => roles == count && count <= MAX_HEADS,
        };
        let is_known = |&fluent: &u32| (fluent as usize) < fluents;
        let are_known = |literal: &PatternFluent| {
            let ready = literal.ready.iter().flat_map(|ready| &ready.fluents);
            let mut others = literal.open.iter().chain(&literal.blockers).chain(ready);
            is_known(&literal.fluent) && others.all(is_known)
        };
        let mut patterns = self.features.patterns().iter();
        let counts = layout.choices.iter();
        let counts: usize = counts.map(|choice| choice.count_bits as usize).sum();
        let bits = [fluents, self.features.len(), counts, self.reached];
        let bits = bits.into_iter().fold(0, usize::saturating_add);
        heads
            && patterns.all(|pattern| pattern.fluents.iter().all(are_known))
            && self.network.features() == 64 * bits.div_ceil(64)
    }
}
