//! Expansion: successors of many leaves at once become nodes, with all their moves and
//! the evaluations of these.

use std::ops::Range;

use gdl_runtime::engine::{Lanes, Pick, Role};
use gdl_runtime::features::FeatureSet;

use super::bounds::GoalModel;
use super::selection::PuctPath;
use super::tree::{Edge, NodeId, PuctTree};
use crate::expander::{Expander, Positions, append_words};
use crate::learning::QuantisedNetwork;
use crate::learning::quantised::StateValues;

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
    values: StateValues,
    sorted: SortedMoves,
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
            values: StateValues::default(),
            sorted: SortedMoves::default(),
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

    /// Adds a node for the end of each of these paths, unless there is one. Appends the
    /// nodes to `added`.
    pub(super) fn add<'a>(
        &mut self,
        tree: &mut PuctTree,
        paths: impl Iterator<Item = &'a PuctPath> + Clone,
        network: &QuantisedNetwork,
        goals: &GoalModel,
        added: &mut Vec<NodeId>,
    ) {
        self.parents.clear();
        self.picks.clear();
        let steps = paths.map(|path| path.step(path.len() - 1));
        for (node, joint) in steps.clone() {
            append_words(tree.state(node), &mut self.parents);
            self.add_picks(tree, node, joint);
        }
        let (parents, picks) = (&self.parents, &self.picks);
        self.expander
            .advance(parents, picks, true, &mut self.leaves);
        let first = added.len();
        self.add_leaves(tree, network, goals, added);
        for ((node, joint), &child) in steps.zip(&added[first..]) {
            tree.link(node, joint, child);
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
                None => leaf.expand_several(tree, node, network, &mut self.values),
                Some(role) => {
                    let count = leaf.moves(role).len();
                    let successors = Successors {
                        positions: &self.successors,
                        range: start..start + count,
                    };
                    start += count;
                    self.evaluations += count as u64;
                    let features = self.leaves.features(index);
                    successors.evaluate(network, features, &mut self.values);
                    self.sorted.sort(role, count, &self.values);
                    leaf.expand_one(tree, node, role, &successors, &self.values, &self.sorted);
                    if successors.any_terminal() {
                        tree.update_bounds(node, goals);
                    }
                }
            }
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
                append_words(self.leaves.state(index), &mut self.parents);
                let decides = |role| (role == decider).then_some(pick);
                self.picks.extend((0..roles).map(decides));
            }
        }
        let (parents, picks) = (&self.parents, &self.picks);
        self.expander
            .advance_features(parents, picks, &mut self.successors);
    }
}

/// The successors of a position, all by moves of one role.
struct Successors<'a> {
    positions: &'a Positions,
    range: Range<usize>,
}

impl Successors<'_> {
    /// Values them; `origin` has the features of the position before.
    fn evaluate(&self, network: &QuantisedNetwork, origin: &[u64], values: &mut StateValues) {
        let features = self.positions.features_of(self.range.clone());
        network.evaluate(origin, features, values);
        for (state, index) in self.range.clone().enumerate() {
            if self.positions.terminal[index] {
                values.set_goals(state, self.positions.goals(index));
            }
        }
    }

    fn any_terminal(&self) -> bool {
        self.positions.terminal[self.range.clone()].contains(&true)
    }

    /// The goals of a successor if it is the end of the game.
    fn outcome(&self, offset: usize) -> Option<&[i32]> {
        let index = self.range.start + offset;
        self.positions.terminal[index].then(|| self.positions.goals(index))
    }
}

/// The moves of a role in descending order of their priors.
#[derive(Debug, Default)]
struct SortedMoves {
    /// The place of each move in the order given, and above it the bits of its odds, which
    /// are in the order of numbers, inverted.
    keys: Vec<u64>,
    /// The sum of the odds.
    total: f32,
}

impl SortedMoves {
    /// Sorts moves by the values of their successors.
    fn sort(&mut self, role: Role, count: usize, values: &StateValues) {
        self.keys.clear();
        self.total = 0.0;
        for place in 0..count {
            let value = values.of(place)[role].clamp(LEAST_VALUE, 1.0 - LEAST_VALUE);
            // The exponential of the logit.
            let odds = value / (1.0 - value);
            self.total += odds;
            self.keys
                .push(u64::from(!odds.to_bits()) << 32 | place as u64);
        }
        self.keys.sort_unstable();
    }

    /// The place of each move with its prior.
    fn priors(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.keys.iter().map(|&key| {
            let odds = f32::from_bits(!(key >> 32) as u32);
            ((key as u32) as usize, odds / self.total)
        })
    }
}

/// A position that becomes a node.
struct Leaf<'a> {
    positions: &'a Positions,
    index: usize,
}

impl Leaf<'_> {
    fn moves(&self, role: Role) -> &[Pick] {
        self.positions.moves(self.index, role)
    }

    /// Gives a node edges by the values of its successors.
    fn expand_one(
        &self,
        tree: &mut PuctTree,
        node: NodeId,
        role: Role,
        successors: &Successors<'_>,
        values: &StateValues,
        sorted: &SortedMoves,
    ) {
        let moves = self.moves(role);
        tree.begin_edges(node, role);
        for (place, prior) in sorted.priors() {
            let edge = Edge::new(moves[place].mv, prior, values.of(place)[role], 1);
            let outcome = successors.outcome(place).map(|goals| tree.outcome(goals));
            tree.add_edge(node, outcome.map_or(edge, |outcome| edge.to(outcome)));
        }
        if let Some((best, _)) = sorted.priors().next() {
            tree.set_values(node, values.of(best).iter().copied());
        }
    }

    /// Gives a node edges for all roles, all alike.
    fn expand_several(
        &self,
        tree: &mut PuctTree,
        node: NodeId,
        network: &QuantisedNetwork,
        values: &mut StateValues,
    ) {
        let features = self.positions.features(self.index);
        network.evaluate(features, features, values);
        let values = values.of(0);
        let edges: Vec<Vec<Edge>> = (0..tree.roles())
            .map(|role| {
                let prior = 1.0 / self.moves(role).len() as f32;
                let edge = |pick: &Pick| Edge::new(pick.mv, prior, values[role], 0);
                self.moves(role).iter().map(edge).collect()
            })
            .collect();
        tree.expand_several(node, &edges);
        tree.set_values(node, values.iter().copied());
    }
}
