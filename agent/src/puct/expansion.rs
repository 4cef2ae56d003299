//! Expansion: successors of many leaves at once become nodes, with all their moves and
//! the evaluations of these.

use gdl_runtime::engine::{Lanes, Pick, Role};
use gdl_runtime::features::FeatureSet;

use super::bounds::GoalModel;
use super::tree::{Edge, NewEdges, NodeId, PuctTree};
use crate::expander::{Expander, Positions};
use crate::learning::QuantisedNetwork;
use crate::learning::network::MAX_HEADS;

/// The least value from which priors are computed: the priors of hopeless moves stay
/// above 0.
const LEAST_VALUE: f32 = 1e-4;

/// Adds nodes to trees.
pub(super) struct LeafExpansion {
    expander: Expander,
    leaves: Positions,
    successors: Positions,
    parents: Vec<u64>,
    picks: Vec<Option<Pick>>,
    /// New nodes with the positions in `leaves` that they are for.
    new: Vec<(NodeId, usize)>,
    edges: Vec<Edge>,
    /// The number of states evaluated.
    pub(super) evaluations: u64,
}

impl LeafExpansion {
    pub(super) fn new(expander: Expander) -> Self {
        Self {
            expander,
            leaves: Positions::default(),
            successors: Positions::default(),
            parents: Vec::new(),
            picks: Vec::new(),
            new: Vec::new(),
            edges: Vec::new(),
            evaluations: 0,
        }
    }

    /// Continues on another machine of the same game.
    pub(super) fn move_to(&mut self, lanes: Box<dyn Lanes>) {
        self.expander = self.expander.on(lanes);
    }

    /// Gives positions these features from now on.
    pub(super) fn set_features(&mut self, features: FeatureSet) {
        self.expander.set_features(features);
    }

    /// Adds a node for a state that is not terminal.
    pub(super) fn add_root(
        &mut self,
        tree: &mut PuctTree,
        state: &[u64],
        network: &QuantisedNetwork,
        goals: &GoalModel,
    ) -> NodeId {
        self.expander.examine(state, &mut self.leaves);
        let mut added = Vec::new();
        self.add_leaves(tree, network, goals, &mut added);
        added[0]
    }

    /// Adds a node for the successor by each of these joint moves, unless there is one.
    /// Appends the nodes to `added`.
    pub(super) fn add(
        &mut self,
        tree: &mut PuctTree,
        requests: &[(NodeId, Vec<u32>)],
        network: &QuantisedNetwork,
        goals: &GoalModel,
        added: &mut Vec<NodeId>,
    ) {
        self.parents.clear();
        self.picks.clear();
        for (node, joint) in requests {
            self.parents.extend_from_slice(tree.state(*node));
            self.add_picks(tree, *node, joint);
        }
        let (parents, picks) = (&self.parents, &self.picks);
        self.expander
            .advance(parents, picks, true, &mut self.leaves);
        let first = added.len();
        self.add_leaves(tree, network, goals, added);
        for ((node, joint), &child) in requests.iter().zip(&added[first..]) {
            tree.link(*node, joint, child);
        }
    }

    /// Appends the moves of a joint move.
    fn add_picks(&mut self, tree: &PuctTree, node: NodeId, joint: &[u32]) {
        let first = self.picks.len();
        self.picks.resize(first + tree.roles(), None);
        for (which, &edge) in joint.iter().enumerate() {
            let role = tree.decider(node).unwrap_or(which);
            let legal = tree.edges[tree.span(node, role)].iter().map(|edge| edge.mv);
            let mv = tree.edges[edge as usize].mv;
            self.picks[first + role] = Some(self.expander.pick(role, mv, legal));
        }
    }

    /// Adds nodes for `leaves`, and appends them to `added`.
    fn add_leaves(
        &mut self,
        tree: &mut PuctTree,
        network: &QuantisedNetwork,
        goals: &GoalModel,
        added: &mut Vec<NodeId>,
    ) {
        self.new.clear();
        for index in 0..self.leaves.len() {
            let node = if self.leaves.terminal[index] {
                tree.outcome(self.leaves.goals(index))
            } else {
                let state = self.leaves.state(index);
                tree.find(state).unwrap_or_else(|| {
                    let node = tree.insert(state, &goals.greatest);
                    self.new.push((node, index));
                    node
                })
            };
            added.push(node);
        }
        self.advance_leaves();
        let mut start = 0;
        for &(node, index) in &self.new {
            let leaf = Leaf {
                positions: &self.leaves,
                index,
            };
            match self.leaves.decider(index, tree.roles()) {
                None => leaf.expand_several(tree, node, network),
                Some(role) => {
                    let count = self.leaves.moves(index, role).len();
                    let successors = start..start + count;
                    start += count;
                    self.evaluations += count as u64;
                    self.edges.clear();
                    leaf.expand_one(
                        tree,
                        node,
                        role,
                        network,
                        (&self.successors, successors),
                        &mut self.edges,
                    );
                }
            }
            tree.update_bounds(node, goals);
        }
    }

    /// Computes all successors of the new nodes where one role decides.
    fn advance_leaves(&mut self) {
        self.parents.clear();
        self.picks.clear();
        let roles = self.expander.roles();
        for &(_, index) in &self.new {
            let Some(decider) = self.leaves.decider(index, roles) else {
                continue;
            };
            for &pick in self.leaves.moves(index, decider) {
                self.parents.extend_from_slice(self.leaves.state(index));
                let decides = |role| (role == decider).then_some(pick);
                self.picks.extend((0..roles).map(decides));
            }
        }
        let (parents, picks) = (&self.parents, &self.picks);
        self.expander
            .advance(parents, picks, false, &mut self.successors);
    }
}

/// A position that becomes a node.
struct Leaf<'a> {
    positions: &'a Positions,
    index: usize,
}

impl Leaf<'_> {
    /// Gives a node edges by the values of its successors.
    fn expand_one(
        &self,
        tree: &mut PuctTree,
        node: NodeId,
        role: Role,
        network: &QuantisedNetwork,
        (successors, range): (&Positions, std::ops::Range<usize>),
        edges: &mut Vec<Edge>,
    ) {
        let roles = tree.roles();
        let features = self.positions.features(self.index);
        let sums = network.sums(features);
        let mut best = [0.0; MAX_HEADS];
        let mut highest = f32::NEG_INFINITY;
        let mut total = 0.0;
        let moves = self.positions.moves(self.index, role);
        let mut outcomes = Vec::new();
        for (offset, index) in range.enumerate() {
            let mut values = [0.0; MAX_HEADS];
            if successors.terminal[index] {
                let goals = successors.goals(index);
                let pairs = values.iter_mut().zip(goals);
                pairs.for_each(|(value, &goal)| *value = goal as f32 / 100.0);
                outcomes.push((moves[offset].mv, tree.outcome(goals)));
            } else {
                let sums = network.sums_from(&sums, features, successors.features(index));
                network.values(&sums, &mut values[..roles]);
            }
            let value = values[role];
            if value > highest {
                (highest, best) = (value, values);
            }
            let bounded = value.clamp(LEAST_VALUE, 1.0 - LEAST_VALUE);
            // The exponential of the logit.
            let odds = bounded / (1.0 - bounded);
            total += odds;
            edges.push(Edge::new(moves[offset].mv, odds, value, 1));
        }
        edges.sort_unstable_by(|one, other| other.prior.total_cmp(&one.prior));
        edges.iter_mut().for_each(|edge| edge.prior /= total);
        tree.expand(node, NewEdges::One(role, edges));
        tree.set_values(node, best.into_iter());
        for (mv, outcome) in outcomes {
            let at = tree.span(node, role).find(|&at| tree.edges[at].mv == mv);
            if let Some(at) = at {
                tree.link(node, &[at as u32], outcome);
            }
        }
    }

    /// Gives a node edges for all roles, all alike.
    fn expand_several(&self, tree: &mut PuctTree, node: NodeId, network: &QuantisedNetwork) {
        let mut values = [0.0; MAX_HEADS];
        let roles = tree.roles();
        let features = self.positions.features(self.index);
        network.values(&network.sums(features), &mut values[..roles]);
        let edges: Vec<Vec<Edge>> = (0..roles)
            .map(|role| {
                let moves = self.positions.moves(self.index, role);
                let prior = 1.0 / moves.len() as f32;
                let edge = |pick: &Pick| Edge::new(pick.mv, prior, values[role], 0);
                moves.iter().map(edge).collect()
            })
            .collect();
        tree.expand(node, NewEdges::Several(&edges));
        tree.set_values(node, values.into_iter());
    }
}
