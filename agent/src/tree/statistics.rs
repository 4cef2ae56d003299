//! Visits and returns of nodes and moves.

use std::ops::Range;

use gdl_runtime::engine::Role;

use super::node::TreeNodeId;
use super::{Mover, SearchTree};

/// Visits of a node or edge beyond which visits and returns are halved: averages
/// stay the same, and 32 bits suffice for days of search.
const MOST_VISITS: u32 = 1 << 30;

impl SearchTree {
    /// Begins a descent from a root, so that [`SearchTree::enter`] can detect cycles.
    pub fn begin_descent(&mut self, root: TreeNodeId) {
        self.root = Some(root);
        self.descent = self.descent.wrapping_add(1);
        if self.descent == 0 {
            self.descent = 1;
            self.nodes.iter_mut().for_each(|node| node.descent = 0);
        }
    }

    /// Marks a node as visited by this descent. Returns whether this is the first time.
    #[inline]
    pub fn enter(&mut self, node: TreeNodeId) -> bool {
        let node = &mut self.nodes[node.index()];
        let first = node.descent != self.descent;
        node.descent = self.descent;
        first
    }

    /// Counts simulations in flight through a node along the edges of a joint move.
    #[inline]
    pub fn add_pending(&mut self, node: TreeNodeId, joint: &[u32], simulations: u32) {
        self.nodes[node.index()].pending += simulations;
        for role in self.counted(node, joint) {
            let score = &mut self.scores[joint[role] as usize];
            score.set_tries(score.tries + simulations);
            self.count_virtual_losses(joint[role] as usize);
        }
    }

    /// Undoes [`SearchTree::add_pending`].
    pub fn remove_pending(&mut self, node: TreeNodeId, joint: &[u32], simulations: u32) {
        self.nodes[node.index()].pending -= simulations;
        for role in self.counted(node, joint) {
            let score = &mut self.scores[joint[role] as usize];
            score.set_tries(score.tries - simulations);
            self.count_virtual_losses(joint[role] as usize);
        }
    }

    /// Turns simulations in flight into finished ones; `returns` are the sums of their
    /// returns, one per role.
    #[inline]
    pub fn credit(&mut self, node: TreeNodeId, joint: &[u32], simulations: u32, returns: &[f64]) {
        self.nodes[node.index()].pending -= simulations;
        self.count_visits(node, simulations);
        for role in self.counted(node, joint) {
            let edge = &mut self.edges[joint[role] as usize];
            let score = &mut self.scores[joint[role] as usize];
            edge.visits += simulations;
            edge.sum += returns[role];
            if edge.visits > MOST_VISITS {
                score.set_tries(score.tries - edge.visits.div_ceil(2));
                edge.visits /= 2;
                edge.sum /= 2.0;
            }
            score.set_mean(edge);
            self.count_virtual_losses(joint[role] as usize);
        }
    }

    /// The roles whose edges of a joint move are counted: all at the root, elsewhere
    /// only those that have a choice.
    #[inline]
    fn counted(&self, node: TreeNodeId, joint: &[u32]) -> Range<Role> {
        match self.mover(node) {
            Mover::One(role) if self.root != Some(node) => role..role + 1,
            _ => 0..joint.len(),
        }
    }

    /// Counts simulations that left the graph at this node.
    #[inline]
    pub fn count_visits(&mut self, node: TreeNodeId, simulations: u32) {
        let visits = &mut self.nodes[node.index()].visits;
        *visits += simulations;
        if *visits > MOST_VISITS {
            *visits /= 2;
        }
    }
}
