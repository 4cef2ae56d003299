//! Simultaneous moves: how joint moves are picked at nodes where several roles have a
//! choice. Each rule has a file of its own.
//!
//! Without such a rule, the selection rule is asked for every role separately: decoupled
//! UCT. Where only one role has a choice, the selection rule always decides.

pub mod exp3;
pub mod regret_matching;
pub mod sequential;

use gdl_runtime::engine::Role;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::drawing::index_at;
use crate::tree::SearchTree;
use crate::tree::node::TreeNodeId;

/// Simulations at a node where several roles have a choice.
#[derive(Debug, Clone, Copy)]
pub struct Encounter {
    /// The node.
    pub node: TreeNodeId,
    /// The role that the search is for.
    pub role: Role,
    /// The number of simulations.
    pub simulations: u32,
}

/// A rule that picks joint moves inside the tree.
pub trait SimultaneousRule: Send {
    /// The number of [statistics](SearchTree::strategies) it keeps for each edge. They
    /// start at 0.
    fn statistics(&self) -> usize {
        0
    }

    /// Picks an edge for every role. `joint` holds the first edge of each.
    fn choose(
        &mut self,
        tree: &mut SearchTree,
        at: Encounter,
        joint: &mut [u32],
        random: &mut Xoshiro256PlusPlus,
    );

    /// Learns from simulations that have ended, by their joint move and the average
    /// return of each role.
    fn credit(&mut self, tree: &mut SearchTree, at: Encounter, joint: &[u32], means: &[f64]);

    /// Undoes what [`choose`](Self::choose) counted, as the simulations are abandoned.
    fn abandon(&mut self, _tree: &mut SearchTree, _at: Encounter, _joint: &[u32]) {}

    /// The probabilities with which the role's final move is drawn, in the order of its
    /// edges; `None` if it is the one with the highest value.
    fn strategy(&self, _tree: &SearchTree, _node: TreeNodeId, _role: Role) -> Option<Vec<f64>> {
        None
    }
}

/// Draws an index with these probabilities, which add up to 1.
pub(crate) fn draw(probabilities: &[f64], random: &mut Xoshiro256PlusPlus) -> usize {
    let drawn = index_at(random.random(), probabilities.iter().copied());
    drawn.unwrap_or(probabilities.len() - 1)
}

/// Mixes a strategy with the uniform one, of which `share` is the weight.
fn explore(strategy: &mut [f64], share: f64) {
    let uniform = share / strategy.len() as f64;
    for probability in strategy {
        *probability = (1.0 - share) * *probability + uniform;
    }
}

/// Scales weights so that they add up to 1; uniform if none is positive.
fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    let count = weights.len() as f64;
    for weight in weights {
        *weight = if total > 0.0 {
            *weight / total
        } else {
            1.0 / count
        };
    }
}

/// The strategy whose sum over all simulations is the last of each edge's
/// `per_edge` statistics; `None` if there were no simulations.
fn average_strategy(statistics: &[f32], per_edge: usize) -> Option<Vec<f64>> {
    let edges = statistics.chunks_exact(per_edge);
    let mut sums: Vec<f64> = edges.map(|edge| f64::from(edge[per_edge - 1])).collect();
    let known = sums.iter().any(|&sum| sum > 0.0);
    normalise(&mut sums);
    known.then_some(sums)
}
