//! What a search is made of, and what it may use.

use std::sync::Arc;

use gdl_runtime::engine::Role;

use super::growth::Growth;
use super::root_merge::RootMerge;
use super::two_level::TwoLevel;
use crate::cutoff::Cutoff;
use crate::playout::Playout;
use crate::selection::SelectionRule;
use crate::simultaneous::SimultaneousRule;
use crate::symmetric::canonical::CanonicalStates;

/// The components and resources of a search.
pub struct SearchSettings {
    /// How moves are picked inside the tree; plain UCT if `None`.
    pub selection: Option<Box<dyn SelectionRule>>,
    /// How joint moves are picked where several roles have a choice; by the selection rule, for
    /// every role separately, if `None`.
    pub simultaneous: Option<Box<dyn SimultaneousRule>>,
    /// How roles other than the one the search is for pick moves inside the tree; like that one if
    /// `None`. Such a rule keeps no statistics of its own and does not learn.
    pub opponents: Option<Box<dyn SelectionRule>>,
    /// How moves are chosen outside the tree; uniformly at random if `None`.
    pub playout: Option<Box<dyn Playout>>,
    /// The symmetries under which states share a node, see [`symmetric`](crate::symmetric);
    /// every state has a node of its own if `None`.
    pub symmetries: Option<Arc<CanonicalStates>>,
    /// Where simulations leave the tree.
    pub growth: Growth,
    /// Whether playouts end before the game does.
    pub cutoff: Option<Box<dyn Cutoff>>,
    /// The factor by which goal values shrink with every move before the end, see
    /// [`Backup`](crate::backup::Backup).
    pub discount: f64,
    /// Whether the values of nodes are proven from those of their successors.
    pub proves: bool,
    /// Whether moves whose value is proven take no simulations, see
    /// [`closed`](crate::closed).
    pub closes: bool,
    /// The roles whose goal does not depend on how the game ends, such as a die: proofs do not
    /// assume that they prefer any of their moves.
    pub indifferent: Vec<Role>,
    /// Whether the tree keeps [proof numbers](crate::selection::proof_numbers).
    pub keeps_proof_numbers: bool,
    /// The number of simulations in flight, at most the number of lanes. By default
    /// it grows with the visits of the root, the faster the longer playouts take.
    pub in_flight: Option<usize>,
    /// The maximum number of lanes that play on from each new node, a simulation
    /// each. More than one spends less time in the tree but learns from fewer
    /// nodes. By default the [cost model](super::cost_model) decides.
    pub playouts_per_leaf: Option<usize>,
    /// The size limit of the tree in bytes (see
    /// [`SearchTree::new`](crate::tree::SearchTree::new)). A full tree stops
    /// growing, but its statistics are still updated.
    pub memory: usize,
    /// Whether every search first drops the nodes that its root can no longer
    /// reach, instead of only when memory runs short.
    pub tidy: bool,
    /// The number of threads that run simulations, each on a machine of its own.
    pub threads: usize,
    /// The number of lost simulations that one in flight counts as, see
    /// [`SearchTree::with_virtual_loss`](crate::tree::SearchTree::with_virtual_loss).
    pub virtual_loss: f64,
    /// How the results of several trees are merged.
    pub root_merge: RootMerge,
    /// How the second level of the tree counts in the choice of the final move; it does
    /// not if `None`.
    pub two_level: Option<TwoLevel>,
    /// The maximum number of moves of a playout outside the tree. A longer one ends
    /// there with the goals that hold at that point, as if the game had ended, so
    /// that games without a guaranteed end cannot hold up the search.
    pub longest_playout: u64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            selection: None,
            simultaneous: None,
            opponents: None,
            playout: None,
            symmetries: None,
            growth: Growth::default(),
            cutoff: None,
            discount: 1.0,
            proves: true,
            closes: false,
            indifferent: Vec::new(),
            keeps_proof_numbers: false,
            in_flight: None,
            playouts_per_leaf: None,
            memory: 1 << 30,
            tidy: false,
            threads: 1,
            virtual_loss: 0.0,
            root_merge: RootMerge::default(),
            two_level: None,
            longest_playout: 4096,
        }
    }
}

/// The resources of a search besides its time, whatever the agent.
#[derive(Debug, Clone, Copy)]
pub struct SearchLimits {
    /// The size limit of all trees together, in bytes.
    pub memory: usize,
    /// See [`SearchSettings::in_flight`].
    pub in_flight: Option<usize>,
    /// See [`SearchSettings::playouts_per_leaf`].
    pub playouts_per_leaf: Option<usize>,
    /// See [`SearchSettings::tidy`].
    pub tidy: bool,
}

impl Default for SearchLimits {
    fn default() -> Self {
        let SearchSettings {
            memory,
            in_flight,
            playouts_per_leaf,
            tidy,
            ..
        } = SearchSettings::default();
        Self {
            memory,
            in_flight,
            playouts_per_leaf,
            tidy,
        }
    }
}
