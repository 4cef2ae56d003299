//! Expansion: successors of many leaves at once become nodes, with all their moves and
//! the evaluations of these.

use gdl_runtime::engine::{Lanes, Pick, Role};
use gdl_runtime::features::FeatureSet;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::bounds::GoalModel;
use super::tree::{Edge, NewEdges, NodeId, PuctTree};
use crate::expander::{Expander, Positions};
use crate::learning::QuantisedNetwork;
use crate::learning::network::MAX_HEADS;

/// The least value from which priors are computed: the priors of hopeless moves stay
/// above 0.
const LEAST_VALUE: f32 = 1e-4;

/// Where several roles choose at once, each move is valued with this number of random
/// moves of the others; with fewer if there are many moves.
const MOST_REPLIES: usize = 4;

/// The number of joint moves aimed at for a position where several roles choose.
const JOINT_MOVES: usize = 48;

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
    random: Xoshiro256PlusPlus,
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
            random: Xoshiro256PlusPlus::seed_from_u64(0),
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

    /// Whether a node is one of those that were added last.
    pub(super) fn is_new(&self, node: NodeId) -> bool {
        self.new.iter().any(|&(new, _)| new == node)
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
                None => {
                    let count = leaf.joint_moves(tree.roles());
                    let successors = start..start + count;
                    start += count;
                    self.evaluations += count as u64;
                    leaf.expand_several(tree, node, network, (&self.successors, successors));
                }
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

    /// Computes the successors by which the moves of the new nodes are valued: all of
    /// them where one role decides, elsewhere those by each move of a role with random
    /// moves of the others.
    fn advance_leaves(&mut self) {
        self.parents.clear();
        self.picks.clear();
        let roles = self.expander.roles();
        for &(_, index) in &self.new {
            let leaf = Leaf {
                positions: &self.leaves,
                index,
            };
            let first = self.picks.len();
            match self.leaves.decider(index, roles) {
                Some(decider) => leaf.append_moves(decider, roles, &mut self.picks),
                None => leaf.append_joint_moves(roles, &mut self.random, &mut self.picks),
            }
            for _ in 0..(self.picks.len() - first) / roles {
                self.parents.extend_from_slice(self.leaves.state(index));
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
    /// Appends each move of the role that decides.
    fn append_moves(&self, decider: Role, roles: usize, picks: &mut Vec<Option<Pick>>) {
        for &pick in self.positions.moves(self.index, decider) {
            picks.extend((0..roles).map(|role| (role == decider).then_some(pick)));
        }
    }

    /// Appends each move of each role a number of times, with random moves of the others.
    fn append_joint_moves(
        &self,
        roles: usize,
        random: &mut Xoshiro256PlusPlus,
        picks: &mut Vec<Option<Pick>>,
    ) {
        let replies = self.replies(roles);
        for own in 0..roles {
            for &pick in self.positions.moves(self.index, own) {
                for _ in 0..replies {
                    picks.extend((0..roles).map(|role| {
                        let moves = self.positions.moves(self.index, role);
                        match role == own {
                            true => Some(pick),
                            false => Some(moves[random.random_range(0..moves.len())]),
                        }
                    }));
                }
            }
        }
    }

    /// The number of joint moves that value the moves of all roles.
    fn joint_moves(&self, roles: usize) -> usize {
        let moves: usize = (0..roles)
            .map(|role| self.positions.moves(self.index, role).len())
            .sum();
        moves * self.replies(roles)
    }

    /// The number of random moves of the others with which a move is valued.
    fn replies(&self, roles: usize) -> usize {
        let moves: usize = (0..roles)
            .map(|role| self.positions.moves(self.index, role).len())
            .sum();
        (JOINT_MOVES / moves).clamp(1, MOST_REPLIES)
    }

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

    /// Gives a node edges for all roles, by the values of successors with random moves of
    /// the others.
    fn expand_several(
        &self,
        tree: &mut PuctTree,
        node: NodeId,
        network: &QuantisedNetwork,
        (successors, range): (&Positions, std::ops::Range<usize>),
    ) {
        let mut values = [0.0; MAX_HEADS];
        let roles = tree.roles();
        let features = self.positions.features(self.index);
        let sums = network.sums(features);
        let replies = self.replies(roles);
        let mut successor = range.start;
        let edges: Vec<Vec<Edge>> = (0..roles)
            .map(|role| {
                let moves = self.positions.moves(self.index, role);
                let mut edges: Vec<Edge> = (moves.iter())
                    .map(|pick| {
                        let mut mean = 0.0;
                        for index in successor..successor + replies {
                            if successors.terminal[index] {
                                mean += successors.goals(index)[role] as f32 / 100.0;
                            } else {
                                let others = successors.features(index);
                                let sums = network.sums_from(&sums, features, others);
                                network.values(&sums, &mut values[..roles]);
                                mean += values[role];
                            }
                        }
                        successor += replies;
                        mean /= replies as f32;
                        let bounded = mean.clamp(LEAST_VALUE, 1.0 - LEAST_VALUE);
                        Edge::new(pick.mv, bounded / (1.0 - bounded), mean, 1)
                    })
                    .collect();
                let total: f32 = edges.iter().map(|edge| edge.prior).sum();
                edges.iter_mut().for_each(|edge| edge.prior /= total);
                edges
            })
            .collect();
        tree.expand(node, NewEdges::Several(&edges));
        network.values(&sums, &mut values[..roles]);
        tree.set_values(node, values.into_iter());
    }
}
