//! The search by evaluation of one player.

use gdl_runtime::engine::{Lanes, Move, Role, State};
use gdl_runtime::features::FeatureSet;

use super::bounds::GoalModel;
use super::expansion::LeafExpansion;
use super::selection::{DescentEnd, PuctPath};
use super::tree::{NodeId, PuctTree};
use crate::expander::Expander;
use crate::learning::QuantisedNetwork;
use crate::learning::network::{MAX_HEADS, ValueHeads};
use crate::search::result::{MoveEvaluation, SearchResult};

/// Parameters of a search by evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PuctSettings {
    /// The weight of exploration, in values from 0 to 1.
    pub exploration: f32,
    /// The greatest number of leaves that are expanded together.
    pub batch: usize,
    /// The size limit of the tree in bytes. Half of it is filled, since tables double when
    /// they grow; then the nodes with the fewest visits make room.
    pub memory: usize,
}

impl Default for PuctSettings {
    fn default() -> Self {
        Self {
            exploration: 0.35,
            batch: 32,
            memory: 1 << 30,
        }
    }
}

/// Leaves of a batch times operations of a step of the machine: the clock is checked between batches,
/// which should take no more than some ten milliseconds.
const BATCH_OPERATIONS: u32 = 4_000_000;

/// Visits of the root for each leaf of a batch: at first, leaves are expanded one by
/// one, since each changes where to look next.
const VISITS_PER_LEAF: u32 = 8;

/// A tree, the network that values its leaves, and the lanes that expand them.
pub struct EvaluatedSearch {
    settings: PuctSettings,
    tree: PuctTree,
    expansion: LeafExpansion,
    /// `None` until there is one to search by.
    network: Option<QuantisedNetwork>,
    goals: GoalModel,
    root: Option<NodeId>,
    paths: Vec<PuctPath>,
    ends: Vec<DescentEnd>,
    added: Vec<NodeId>,
    joint: Vec<u32>,
    /// The number of descents that ended at a node known before.
    known: u64,
    /// The number of descents, of batches of them, and of moves in them.
    descents: u64,
    batches: u64,
    steps: u64,
    deepest: usize,
}

/// What a search by evaluation has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PuctCounts {
    /// Descents from the root.
    pub descents: u64,
    /// Those that ended at a node whose value was known, so that nothing was evaluated.
    pub known: u64,
    /// Batches of descents.
    pub batches: u64,
    /// Moves in descents.
    pub steps: u64,
    /// States that the network evaluated.
    pub evaluations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The size of the tree in bytes.
    pub bytes: usize,
    /// The greatest depth of a descent.
    pub deepest: usize,
}

impl EvaluatedSearch {
    /// A search of a game whose states have `words` words. `greatest` has the greatest
    /// goal value of every role.
    #[must_use]
    pub fn new(
        lanes: Box<dyn Lanes>,
        words: usize,
        greatest: Vec<u8>,
        settings: PuctSettings,
    ) -> Self {
        let expander = Expander::new(lanes, words);
        let fast = BATCH_OPERATIONS / expander.operations().max(1);
        let settings = PuctSettings {
            batch: settings.batch.min(fast as usize).max(1),
            ..settings
        };
        Self {
            settings,
            tree: PuctTree::new(expander.roles(), words),
            expansion: LeafExpansion::new(expander),
            goals: GoalModel {
                greatest,
                has_constant_sum: false,
            },
            network: None,
            root: None,
            paths: vec![PuctPath::default(); settings.batch],
            ends: Vec::new(),
            added: Vec::new(),
            joint: Vec::new(),
            known: 0,
            descents: 0,
            batches: 0,
            steps: 0,
            deepest: 0,
        }
    }

    /// Makes a state that is not terminal the root. What is known of it is kept.
    pub fn set_root(&mut self, state: &State) {
        let known = self.tree.find(&state.0);
        self.root = match known {
            Some(root) if self.is_full() => Some(self.tree.keep(root, 1)),
            Some(root) => Some(root),
            None => {
                self.tree.clear();
                let (expansion, goals) = (&mut self.expansion, &self.goals);
                let tree = &mut self.tree;
                let network = self.network.as_ref();
                network.map(|network| expansion.add_root(tree, &state.0, network, goals))
            }
        };
    }

    /// What the search has done so far.
    #[must_use]
    pub fn counts(&self) -> PuctCounts {
        PuctCounts {
            descents: self.descents,
            known: self.known,
            batches: self.batches,
            steps: self.steps,
            evaluations: self.expansion.evaluations,
            nodes: self.tree.nodes.len(),
            bytes: self.tree.bytes(),
            deepest: self.deepest,
        }
    }

    /// Whether nothing is left to find out about the root.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.root
            .is_none_or(|root| self.tree.nodes[root.index()].is_closed)
    }

    /// Whether room has to be made: tables double when they grow.
    fn is_full(&self) -> bool {
        self.tree.bytes() > self.settings.memory / 2
    }

    /// Searches until `goes_on`, asked after every batch, says no, or the search is
    /// exhausted.
    pub fn run(&mut self, goes_on: &mut dyn FnMut(&PuctCounts) -> bool) {
        let Some(mut root) = self.root else { return };
        while !self.is_exhausted() && goes_on(&self.counts()) {
            if self.is_full() {
                root = self.recycle(root);
            }
            self.select_leaves(root);
            self.expand_leaves();
            self.back_up();
        }
    }

    /// Makes room by dropping nodes with few visits, those with one first.
    fn recycle(&mut self, root: NodeId) -> NodeId {
        let mut root = root;
        let mut visits = 2;
        while self.tree.bytes() > self.settings.memory / 4 && visits < 1 << 20 {
            root = self.tree.keep(root, visits);
            visits *= 2;
        }
        self.root = Some(root);
        root
    }

    /// Selects a batch of leaves.
    fn select_leaves(&mut self, root: NodeId) {
        self.ends.clear();
        let visits = self.tree.nodes[root.index()].visits;
        let batch = (1 + visits / VISITS_PER_LEAF).min(self.settings.batch as u32) as usize;
        for path in &mut self.paths[..batch] {
            let exploration = self.settings.exploration;
            let end = self.tree.descend(root, exploration, path, &mut self.joint);
            if end == DescentEnd::Busy {
                self.tree.retract(path);
                break;
            }
            self.deepest = self.deepest.max(path.len());
            self.steps += path.len() as u64;
            self.ends.push(end);
        }
        self.descents += self.ends.len() as u64;
        self.batches += 1;
    }

    /// Expands the leaves of the batch, so that the ends of all paths are known.
    fn expand_leaves(&mut self) {
        self.added.clear();
        let (Some(network), goals) = (&self.network, &self.goals) else {
            return;
        };
        let ends = self.paths.iter().zip(&self.ends);
        let leaves = ends.filter(|(_, end)| **end == DescentEnd::Leaf);
        let leaves = leaves.map(|(path, _)| path);
        let (tree, added) = (&mut self.tree, &mut self.added);
        self.expansion.add(tree, leaves, network, goals, added);
        let mut added = self.added.iter();
        for end in &mut self.ends {
            match end {
                DescentEnd::Leaf => {
                    if let Some(&node) = added.next() {
                        *end = DescentEnd::Known(node);
                    }
                }
                _ => self.known += 1,
            }
        }
    }

    /// Enters the values of the ends of all paths along them.
    fn back_up(&mut self) {
        for (path, end) in self.paths.iter().zip(&self.ends) {
            if let DescentEnd::Known(node) = *end {
                self.tree.back_up(path, node, &self.goals);
            }
        }
    }

    /// The moves of a role at the root, each with its evaluation; empty if the state is
    /// not the root or the role does not decide there.
    #[must_use]
    pub fn evaluations(&self, state: &State, role: Role) -> Vec<MoveEvaluation> {
        let root = self.root.filter(|&root| self.tree.state(root) == &*state.0);
        let Some(root) = root else { return Vec::new() };
        let edges = &self.tree.edges[self.tree.span(root, role)];
        let evaluation = |edge: &super::tree::Edge| {
            let bounds = edge.child().map(|child| self.tree.bounds(child)[role]);
            let [low, high] = bounds.unwrap_or([0, 100]);
            MoveEvaluation {
                mv: edge.mv,
                visits: edge.visits,
                value: (f64::from(edge.mean) * 100.0).clamp(low.into(), high.into()),
                proven: low == high,
            }
        };
        edges.iter().map(evaluation).collect()
    }

    /// The move to play by what is known, and the evaluations of all moves. If none of
    /// the legal moves was searched, the first is chosen.
    #[must_use]
    pub fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        let mut evaluations = self.evaluations(state, role);
        // Only the engine decides what is legal.
        evaluations.retain(|evaluation| legal.contains(&evaluation.mv));
        let chosen = best_move(&evaluations).unwrap_or(legal[0]);
        evaluations.sort_by_key(|evaluation| std::cmp::Reverse(evaluation.visits));
        SearchResult {
            evaluations,
            ..SearchResult::without_search(chosen)
        }
    }

    /// The goals of all roles if those of a state are proven.
    #[must_use]
    pub fn proven_goals(&self, state: &State) -> Option<Vec<i32>> {
        let bounds = self.tree.bounds(self.tree.find(&state.0)?);
        let goal = |&[low, high]: &[u8; 2]| (low == high).then_some(i32::from(low));
        bounds.iter().map(goal).collect()
    }

    /// Searches by another network from now on, which values states by these features,
    /// and drops what the last one valued.
    pub fn set_network(&mut self, network: QuantisedNetwork, features: FeatureSet) {
        self.expansion.set_features(features);
        self.forget();
        self.goals.has_constant_sum = network.heads() == ValueHeads::ConstantSum;
        self.network = Some(network);
    }

    /// Clears the tree.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.root = None;
    }

    /// Continues on another machine that numbers states and moves alike.
    pub fn move_to(&mut self, lanes: Box<dyn Lanes>) {
        self.expansion.move_to(lanes);
    }
}

/// The move to play: the most visited, unless the value of another one is proven and at
/// least as high. Proven losses of a goal come last.
fn best_move(evaluations: &[MoveEvaluation]) -> Option<Move> {
    let open = evaluations.iter().filter(|evaluation| !evaluation.proven);
    let open = open.max_by(|one, other| {
        let visits = one.visits.cmp(&other.visits);
        visits.then(one.value.total_cmp(&other.value))
    });
    let proven = evaluations.iter().filter(|evaluation| evaluation.proven);
    let proven = proven.max_by(|one, other| {
        let value = one.value.total_cmp(&other.value);
        value.then(one.visits.cmp(&other.visits))
    });
    let best = match (open, proven) {
        (Some(open), Some(proven)) if proven.value < open.value => open,
        (open, proven) => proven.or(open)?,
    };
    Some(best.mv)
}

impl PuctTree {
    /// Enters the value of a node into the statistics along the path that led to it, and
    /// what is proven of it into the bounds.
    fn back_up(&mut self, path: &PuctPath, end: NodeId, goals: &GoalModel) {
        let roles = self.roles();
        let mut values = [0.0; MAX_HEADS];
        values[..roles].copy_from_slice(self.values(end));
        self.clamp(end, &mut values);
        let mut child = end;
        let mut proves = true;
        for index in (0..path.len()).rev() {
            let (node, joint) = path.step(index);
            for (which, &edge) in joint.iter().enumerate() {
                let role = self.decider(node).unwrap_or(which);
                let edge = &mut self.edges[edge as usize];
                edge.pending -= 1;
                edge.visits += 1;
                if !edge.is_closed {
                    edge.mean += (values[role] - edge.mean) / edge.visits as f32;
                }
            }
            proves = proves && self.has_news(child) && self.update_bounds(node, goals);
            self.clamp(node, &mut values);
            child = node;
        }
    }

    /// Whether more is known of a node than the game's least and greatest goals.
    #[inline]
    fn has_news(&self, node: NodeId) -> bool {
        self.nodes[node.index()].is_closed
            || self.bounds(node).iter().any(|bounds| *bounds != [0, 100])
    }

    /// Limits values to the bounds of a node.
    #[inline]
    fn clamp(&self, node: NodeId, values: &mut [f32]) {
        for (value, &[low, high]) in values.iter_mut().zip(self.bounds(node)) {
            // Most nodes are unknown, and divisions take their time.
            if [low, high] == [0, 100] {
                continue;
            }
            *value = value.clamp(f32::from(low) / 100.0, f32::from(high) / 100.0);
        }
    }
}
