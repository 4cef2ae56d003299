//! Expansion: successors of many leaves at once become nodes, with all their moves and
//! the evaluations of these.

use std::ops::Range;

use gdl_runtime::engine::{Lanes, Pick, Role};
use gdl_runtime::features::FeatureSet;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::bounds::GoalModel;
use super::leaf::Leaf;
use super::selection::PuctPath;
use super::tabled_nodes::TabledNodes;
use super::tree::{Edge, NodeId, PuctTree};
use crate::expander::{Expander, Positions, append_repeated, append_words};
use crate::learning::QuantisedNetwork;
use crate::learning::quantised::StateValues;
use crate::odds::odds;

/// A node that is being added.
#[derive(Debug)]
struct NewNode {
    node: NodeId,
    /// The index of its position in `leaves`.
    index: usize,
    /// The indices in `successors` of those that value its moves; none if only a table of its
    /// joint moves does.
    successors: Range<usize>,
}

/// Adds nodes to trees.
pub(super) struct LeafExpansion {
    expander: Expander,
    leaves: Positions,
    successors: Positions,
    parents: Vec<u64>,
    picks: Vec<Option<Pick>>,
    new: Vec<NewNode>,
    tabled: TabledNodes,
    values: StateValues,
    sorted: SortedMoves,
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
            tabled: TabledNodes::default(),
            values: StateValues::default(),
            sorted: SortedMoves::default(),
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

    /// Whether a node is one of those that were added last, when it is asked about for the first
    /// time: several paths of a batch can lead to it.
    pub(super) fn take_new(&mut self, node: NodeId) -> bool {
        let place = self.new.iter().position(|new| new.node == node);
        place.map(|place| self.new.swap_remove(place)).is_some()
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
                    self.new.push(NewNode {
                        node,
                        index,
                        successors: 0..0,
                    });
                    node
                })
            };
            added.push(node);
        }
        self.advance_leaves();
        self.value_moves(tree, network, goals);
    }

    /// Gives the new nodes their moves, with the values of their successors. Edges have to be in
    /// the order of their nodes.
    fn value_moves(&mut self, tree: &mut PuctTree, network: &QuantisedNetwork, goals: &GoalModel) {
        let roles = tree.roles();
        self.tabulate_best_moves(network, roles);
        self.tabled.advance(&mut self.expander);
        let mut tabled = self.tabled.nodes();
        for new in &self.new {
            let leaf = Leaf {
                positions: &self.leaves,
                index: new.index,
            };
            let features = self.leaves.features(new.index);
            let Some(role) = self.leaves.decider(new.index, roles) else {
                if let Some(joint) = tabled.next() {
                    self.evaluations += joint.evaluate(network, features, &mut self.values);
                    joint.expand(tree, &leaf, &self.values);
                }
                continue;
            };
            let successors = Successors {
                positions: &self.successors,
                range: new.successors.clone(),
            };
            self.evaluations += new.successors.len() as u64;
            let (range, values) = (successors.range.clone(), &mut self.values);
            network.evaluate_positions(features, &self.successors, range, values);
            self.sorted.sort(role, leaf.moves(role).len(), &self.values);
            leaf.expand_one(
                tree,
                new.node,
                role,
                &successors,
                &self.values,
                &self.sorted,
            );
            match goals.has_preferences(role) {
                true => self.sorted.set_best(tree, new.node, &self.values),
                false => set_mean(tree, new.node, successors.range.len(), &self.values),
            }
            if successors.any_terminal() {
                tree.update_bounds(new.node, goals);
            }
        }
    }

    /// Gives new nodes that have too many joint moves tables of their best moves.
    fn tabulate_best_moves(&mut self, network: &QuantisedNetwork, roles: usize) {
        for new in &self.new {
            let leaf = Leaf {
                positions: &self.leaves,
                index: new.index,
            };
            if new.successors.is_empty() || self.leaves.decider(new.index, roles).is_some() {
                continue;
            }
            let features = self.leaves.features(new.index);
            let (range, values) = (new.successors.clone(), &mut self.values);
            network.evaluate_positions(features, &self.successors, range, values);
            self.evaluations += new.successors.len() as u64;
            self.tabled.add_best(new.node, &leaf, roles, &self.values);
        }
    }

    /// Computes the successors by which the moves of the new nodes are valued: all of
    /// them where one role decides, elsewhere those by each move of a role with random
    /// moves of the others, unless all joint moves are few enough for a table.
    fn advance_leaves(&mut self) {
        self.parents.clear();
        self.picks.clear();
        self.tabled.clear();
        let roles = self.expander.roles();
        for new in &mut self.new {
            let leaf = Leaf {
                positions: &self.leaves,
                index: new.index,
            };
            let first = self.picks.len() / roles;
            match self.leaves.decider(new.index, roles) {
                Some(decider) => leaf.append_moves(decider, roles, &mut self.picks),
                None if self.tabled.add_complete(new.node, &leaf, roles) => (),
                None => leaf.append_with_replies(roles, &mut self.random, &mut self.picks),
            }
            new.successors = first..self.picks.len() / roles;
            append_repeated(
                self.leaves.state(new.index),
                new.successors.len(),
                &mut self.parents,
            );
        }
        let (parents, picks) = (&self.parents, &self.picks);
        self.expander
            .advance_features(parents, picks, &mut self.successors);
    }
}

/// The successors of a position by which its moves are valued.
struct Successors<'a> {
    positions: &'a Positions,
    range: Range<usize>,
}

impl Successors<'_> {
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
    /// For each move, its place in the order given in the lower half, and in the upper half the
    /// inverted bits of its odds: those of positive numbers are in the order of the numbers.
    keys: Vec<u64>,
    /// The sum of the odds.
    total: f32,
}

impl SortedMoves {
    /// Sorts moves by the values of their successors.
    fn sort(&mut self, role: Role, count: usize, values: &StateValues) {
        let mut total = 0.0;
        self.keys.clear();
        self.keys.extend((0..count).map(|place| {
            let odds = odds(values.of(place)[role]);
            total += odds;
            u64::from(!odds.to_bits()) << 32 | place as u64
        }));
        self.keys.sort_unstable();
        self.total = total;
    }

    /// Gives a node the values of its best successor.
    fn set_best(&self, tree: &mut PuctTree, node: NodeId, values: &StateValues) {
        if let Some((best, _)) = self.priors().next() {
            tree.set_values(node, values.of(best).iter().copied());
        }
    }

    /// The place of each move with its prior.
    fn priors(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let scale = self.total.recip();
        self.keys.iter().map(move |&key| {
            let odds = f32::from_bits(!(key >> 32) as u32);
            ((key as u32) as usize, odds * scale)
        })
    }
}

impl Leaf<'_> {
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
        let edges = sorted.priors();
        let edges = edges
            .map(|(place, prior)| Edge::new(moves[place].mv, prior, values.of(place)[role], 1));
        tree.expand_one(node, role, edges);
        if successors.any_terminal() {
            let first = tree.span(node, role).start as u32;
            for (edge, (place, _)) in (first..).zip(sorted.priors()) {
                if let Some(goals) = successors.outcome(place) {
                    let outcome = tree.outcome(goals);
                    tree.link(node, &[edge], outcome);
                }
            }
        }
    }
}

/// Gives a node the mean values of its successors, of which there is this number.
fn set_mean(tree: &mut PuctTree, node: NodeId, successors: usize, values: &StateValues) {
    let scale = (successors.max(1) as f32).recip();
    let mean = |role| {
        let values = (0..successors).map(|place| values.of(place)[role]);
        scale * values.sum::<f32>()
    };
    tree.set_values(node, (0..tree.roles()).map(mean));
}
