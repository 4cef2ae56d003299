//! Expansion where several roles choose at once: moves are valued against each other.
//!
//! If there are few joint moves, all of them make up the table of a node. Otherwise each move is
//! valued with random moves of the others first, and those that look best then make up the table.

use std::ops::Range;

use gdl_runtime::engine::{Pick, Role};

use super::leaf::Leaf;
use super::tree::{Edge, NodeId, PuctTree};
use crate::expander::{Expander, Positions, append_repeated};
use crate::joint_table::{JointTable, MoveEstimate};
use crate::learning::QuantisedNetwork;
use crate::learning::quantised::StateValues;
use crate::odds::odds;

/// The largest number of joint moves in a table.
const MOST_JOINT_MOVES: usize = 144;

/// A new node where several roles choose.
#[derive(Debug)]
struct TabledNode {
    node: NodeId,
    /// What the moves of each role seem worth with random moves of the others; none if all are in
    /// the table.
    estimates: Vec<Vec<MoveEstimate>>,
    table: JointTable,
    /// The indices of what its joint moves lead to.
    successors: Range<usize>,
}

/// The new nodes where several roles choose.
#[derive(Default)]
pub(super) struct TabledNodes {
    nodes: Vec<TabledNode>,
    parents: Vec<u64>,
    picks: Vec<Option<Pick>>,
    successors: Positions,
}

impl TabledNodes {
    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.parents.clear();
        self.picks.clear();
    }

    /// Adds a node with all of its joint moves, if these are few. Returns whether it did.
    pub(super) fn add_complete(&mut self, node: NodeId, leaf: &Leaf<'_>, roles: usize) -> bool {
        let table = JointTable::of_all(leaf.positions, leaf.index, roles, MOST_JOINT_MOVES);
        table.is_some_and(|table| {
            self.add(node, leaf, Vec::new(), table);
            true
        })
    }

    /// Adds a node with those of its moves that seem best. `values` has those of the successors
    /// by all moves of the first role, of the second role and so on, with random moves of the
    /// others.
    pub(super) fn add_best(
        &mut self,
        node: NodeId,
        leaf: &Leaf<'_>,
        roles: usize,
        values: &StateValues,
    ) {
        let mut successors = 0..;
        let estimates: Vec<Vec<MoveEstimate>> = (0..roles)
            .map(|role| {
                let slots = 0..leaf.moves(role).len();
                let valued = slots
                    .zip(&mut successors)
                    .map(|(slot, successor)| MoveEstimate {
                        slot,
                        value: values.of(successor)[role],
                    });
                valued.collect()
            })
            .collect();
        let table = JointTable::of_best(&estimates, MOST_JOINT_MOVES);
        self.add(node, leaf, estimates, table);
    }

    fn add(
        &mut self,
        node: NodeId,
        leaf: &Leaf<'_>,
        estimates: Vec<Vec<MoveEstimate>>,
        table: JointTable,
    ) {
        let first = self.nodes.last().map_or(0, |node| node.successors.end);
        let count = table.len();
        table.append_to(&mut self.picks, leaf.positions, leaf.index);
        append_repeated(leaf.positions.state(leaf.index), count, &mut self.parents);
        self.nodes.push(TabledNode {
            node,
            estimates,
            table,
            successors: first..first + count,
        });
    }

    /// Computes what the joint moves of all tables lead to.
    pub(super) fn advance(&mut self, expander: &mut Expander) {
        expander.advance_features(&self.parents, &self.picks, &mut self.successors);
        self.nodes.sort_unstable_by_key(|node| node.node);
    }

    /// The nodes in the order of the graph, once they have advanced.
    pub(super) fn nodes(&self) -> impl Iterator<Item = JointExpansion<'_>> {
        let successors = &self.successors;
        self.nodes
            .iter()
            .map(move |node| JointExpansion { node, successors })
    }
}

/// A new node where several roles choose, with what its joint moves lead to.
pub(super) struct JointExpansion<'a> {
    node: &'a TabledNode,
    successors: &'a Positions,
}

impl JointExpansion<'_> {
    /// Values what the joint moves of the table lead to, from a position of these features.
    /// Returns how many states that are.
    pub(super) fn evaluate(
        &self,
        network: &QuantisedNetwork,
        features: &[u64],
        values: &mut StateValues,
    ) -> u64 {
        let range = self.node.successors.clone();
        let count = range.len() as u64;
        network.evaluate_positions(features, self.successors, range, values);
        count
    }

    /// Gives the node edges of all roles and its value, by these values.
    pub(super) fn expand(&self, tree: &mut PuctTree, leaf: &Leaf<'_>, values: &StateValues) {
        let TabledNode { node, table, .. } = self.node;
        let solved = table.solve(values);
        let edges: Vec<Vec<Edge>> = (0..tree.roles())
            .map(|role| {
                let means = self.node.means(role, &solved.moves[role]);
                let total: f32 = means.iter().map(|&mean| odds(mean)).sum();
                let edges = leaf.moves(role).iter().zip(means);
                edges
                    .map(|(pick, mean)| Edge::new(pick.mv, odds(mean) / total, mean, 1))
                    .collect()
            })
            .collect();
        tree.expand_several(*node, &edges);
        tree.set_values(*node, solved.position.iter().copied());
    }
}

impl TabledNode {
    /// The values of all moves of a role, of which those in the table have the values in `tabled`.
    /// Estimates of the others change by as much as those of moves in the table do on average.
    fn means(&self, role: Role, tabled: &[f32]) -> Vec<f32> {
        let Some(estimates) = self.estimates.get(role) else {
            return tabled.to_vec();
        };
        let slots = &self.table.slots()[role];
        let changes = slots.iter().zip(tabled);
        let changes = changes.map(|(&slot, &value)| odds(value) / odds(estimates[slot].value));
        let change: f32 = changes.map(f32::ln).sum::<f32>() / slots.len() as f32;
        let factor = change.exp();
        let mut means: Vec<f32> = estimates
            .iter()
            .map(|mv| {
                let odds = odds(mv.value) * factor;
                odds / (1.0 + odds)
            })
            .collect();
        for (&slot, &value) in slots.iter().zip(tabled) {
            means[slot] = value;
        }
        means
    }
}
