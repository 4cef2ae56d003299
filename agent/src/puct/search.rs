//! The search by evaluation of one player.

use std::time::Instant;

use gdl_runtime::engine::{Lanes, Move, Role, State};
use gdl_runtime::features::FeatureSet;

use super::bounds::GoalModel;
use super::counts::PuctCounts;
use super::expansion::LeafExpansion;
use super::playouts::LeafPlayouts;
use super::selection::{DescentEnd, PuctPath, PuctRule};
use super::tree::{NodeId, PuctTree};
use crate::expander::Expander;
use crate::learning::QuantisedNetwork;
use crate::learning::network::{MAX_HEADS, ValueHeads};
use crate::search::evaluation::MoveEvaluation;
use crate::search::result::SearchResult;

/// Parameters of a search by evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PuctSettings {
    /// The weight of exploration, in values from 0 to 1.
    pub exploration: f32,
    /// The weight of random games in the value of a leaf: the logit of their mean goals,
    /// times this, is added to that of the network's value.
    pub playouts: f32,
    /// The greatest number of leaves that are expanded together.
    pub batch: usize,
    /// The size limit of the tree in bytes. When it is reached, the nodes with the fewest visits
    /// make room.
    pub memory: usize,
}

impl Default for PuctSettings {
    fn default() -> Self {
        Self {
            exploration: 0.35,
            playouts: 0.0,
            batch: 32,
            memory: 1 << 30,
        }
    }
}

/// Leaves of a batch times operations of a step: the clock is checked between batches, which
/// should take no more than some ten milliseconds.
const BATCH_OPERATIONS: u32 = 4_000_000;

/// Visits of the root for each leaf of a batch: at first, leaves are expanded one by
/// one, since each changes where to look next.
const VISITS_PER_LEAF: u32 = 8;

/// The part of the memory that a tree may fill: its tables have room for an eighth more than
/// they hold.
const FILLED_SHARE: f64 = 0.85;

/// The part of the time left that making room may take.
const TRIM_SHARE: f64 = 0.4;

/// The same before a search, when there is still room for a while.
const EARLY_TRIM_SHARE: f64 = 0.05;

/// The assumed time for making room in a tree, in seconds per node that stays, until it has been
/// measured.
const TRIM_PACE: f64 = 5e-7;

/// The measured time is divided by no fewer nodes than this, since few nodes say little about it.
const FEWEST_TIMED: usize = 1000;

/// A search ends early if it could keep no more than this part of a full tree.
const LEAST_KEPT: f64 = 0.125;

/// A tree, the network that values its leaves, and the lanes that expand them.
pub struct EvaluatedSearch {
    settings: PuctSettings,
    tree: PuctTree,
    rule: PuctRule,
    /// The time it took to make room the last time, in seconds per node that stayed.
    trim_pace: f64,
    /// What the last search until a deadline added to the tree, in bytes.
    growth: usize,
    expansion: LeafExpansion,
    /// `None` until there is one to search by.
    network: Option<QuantisedNetwork>,
    goals: GoalModel,
    root: Option<NodeId>,
    /// The paths of descents that are under way, and paths that are free.
    paths: Vec<PuctPath>,
    /// The indices of the latter.
    free: Vec<usize>,
    /// The descents of a batch, by their paths, and where they ended.
    batch: Vec<(usize, DescentEnd)>,
    /// For each path whose leaf is being played out, that leaf.
    played_out: Vec<NodeId>,
    playouts: Option<LeafPlayouts>,
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

impl EvaluatedSearch {
    /// A search of a game whose states have `words` words, given what is known about its goals.
    #[must_use]
    pub fn new(
        lanes: Box<dyn Lanes>,
        words: usize,
        goals: GoalModel,
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
            rule: PuctRule::new(settings.exploration),
            tree: PuctTree::new(expander.roles(), words),
            trim_pace: TRIM_PACE,
            growth: 0,
            expansion: LeafExpansion::new(expander),
            goals,
            network: None,
            root: None,
            paths: Vec::new(),
            free: Vec::new(),
            batch: Vec::new(),
            played_out: Vec::new(),
            playouts: None,
            added: Vec::new(),
            joint: Vec::new(),
            known: 0,
            descents: 0,
            batches: 0,
            steps: 0,
            deepest: 0,
        }
    }

    /// Mixes playouts into the values of leaves, on these lanes.
    #[must_use]
    pub fn with_playouts(mut self, lanes: Box<dyn Lanes>, weight: f32) -> Self {
        self.settings.playouts = weight;
        self.playouts = Some(LeafPlayouts::new(lanes));
        self
    }

    /// The weight of playouts in the values of leaves from now on, if there are any.
    pub fn set_playout_weight(&mut self, weight: f32) {
        self.settings.playouts = weight;
    }

    /// The odds of every role's result in this number of playouts from each state; `None` if they
    /// were not over when `goes_on` said no. Nothing if the search has no playouts.
    pub fn play_out<'a>(
        &mut self,
        states: impl Iterator<Item = &'a [u64]>,
        games: usize,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Vec<f32>>> {
        match &mut self.playouts {
            Some(playouts) => playouts.play_out(states, games, goes_on),
            None => Vec::new(),
        }
    }

    /// Whether playouts are mixed into the values of leaves.
    #[must_use]
    pub fn is_mixture(&self) -> bool {
        self.playouts.is_some()
    }

    /// Makes a state that is not terminal the root. What is known of it is kept.
    pub fn set_root(&mut self, state: &State) {
        self.root = self.tree.find(&state.0);
        if self.root.is_none() {
            self.tree.clear();
            self.add_root(&state.0);
        }
    }

    fn add_root(&mut self, state: &[u64]) {
        let (expansion, goals) = (&mut self.expansion, &self.goals);
        let tree = &mut self.tree;
        let network = self.network.as_ref();
        self.root = network.map(|network| expansion.add_root(tree, state, network, goals));
    }

    /// Calls `tell` for each state in the tree that was visited at least this often, with its
    /// backed-up value for every role, 0 to 1.
    pub fn for_each_visited(&self, least: u32, tell: &mut dyn FnMut(&[u64], &[f32])) {
        self.tree.for_each_visited(least, &self.goals, tell);
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

    /// Whether room has to be made.
    fn is_full(&self) -> bool {
        self.tree.bytes() > self.fill()
    }

    /// The size at which room has to be made, in bytes.
    fn fill(&self) -> usize {
        (self.settings.memory as f64 * FILLED_SHARE) as usize
    }

    /// Searches from a state until the deadline, as [`run_until`](Self::run_until) does, but
    /// leaves half of the room in the tree to later searches.
    pub fn search_ahead(
        &mut self,
        state: &State,
        deadline: Instant,
        goes_on: &mut dyn FnMut() -> bool,
    ) {
        self.set_root(state);
        let room = self.fill() / 2;
        self.run_until(deadline, &mut |counts| counts.bytes < room && goes_on());
    }

    /// Searches until `goes_on`, asked after every batch, says no, or the search is exhausted.
    pub fn run(&mut self, goes_on: &mut dyn FnMut(&PuctCounts) -> bool) {
        self.run_within(None, u64::MAX, goes_on);
    }

    /// Searches as [`run`](Self::run) does, but makes no more than this number of descents.
    pub fn run_counted(&mut self, descents: u64, goes_on: &mut dyn FnMut(&PuctCounts) -> bool) {
        let last = self.descents.saturating_add(descents);
        self.run_within(None, last, goes_on);
    }

    /// Searches until a deadline, or until `goes_on`, asked after every batch, says no or the
    /// search is exhausted. It ends before the deadline if the tree is full and there is hardly
    /// time to make room.
    pub fn run_until(&mut self, deadline: Instant, goes_on: &mut dyn FnMut(&PuctCounts) -> bool) {
        self.make_early_room(deadline);
        let before = self.tree.bytes();
        self.run_within(Some(deadline), u64::MAX, &mut |counts| {
            Instant::now() < deadline && goes_on(counts)
        });
        self.growth = self.tree.bytes().saturating_sub(before);
    }

    /// Searches until a deadline for making room, a number of descents in all, or until `goes_on`
    /// says no.
    fn run_within(
        &mut self,
        deadline: Option<Instant>,
        last: u64,
        goes_on: &mut dyn FnMut(&PuctCounts) -> bool,
    ) {
        while self.is_open() && self.descents < last && goes_on(&self.counts()) {
            if self.is_full() {
                let nodes = self.affordable_nodes(deadline, TRIM_SHARE);
                if (nodes as f64) < self.tree.nodes.len() as f64 * LEAST_KEPT {
                    break;
                }
                self.make_room(nodes);
            }
            self.step(last - self.descents);
        }
        self.abandon_playouts();
    }

    /// Whether there is a root, and something left to find out about it.
    fn is_open(&self) -> bool {
        self.root.is_some() && !self.is_exhausted()
    }

    /// Grows the tree by a batch of leaves, no more than this number.
    fn step(&mut self, most: u64) {
        if let Some(root) = self.root {
            self.select_leaves(root, most);
            self.expand_leaves();
            self.back_up_batch(root);
            self.step_playouts();
        }
    }

    /// Makes room before a search, while that is fast, or if it would have to be made soon.
    fn make_early_room(&mut self, deadline: Instant) {
        let Some(root) = self.root else { return };
        let bytes = self.tree.bytes();
        let is_full_soon = bytes + self.growth > self.fill();
        let fast = self.affordable_nodes(Some(deadline), EARLY_TRIM_SHARE);
        let is_fast = bytes > self.fill() / 2 && self.tree.most_reachable(root) <= fast;
        if is_full_soon || is_fast {
            self.make_room(self.affordable_nodes(Some(deadline), TRIM_SHARE));
        }
    }

    /// The number of nodes that can be kept, where making room is to take no more than this share
    /// of the time until a deadline.
    fn affordable_nodes(&self, deadline: Option<Instant>, share: f64) -> usize {
        deadline.map_or(usize::MAX, |deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            (left.as_secs_f64() * share / self.trim_pace) as usize
        })
    }

    /// Makes room by dropping what cannot be reached, and nodes with few visits if that is not
    /// enough; no more than this number of nodes stay.
    fn make_room(&mut self, nodes: usize) {
        self.abandon_playouts();
        let begun = Instant::now();
        let room = self.fill() / 2;
        self.root = self.root.map(|root| self.tree.trim(root, room, nodes));
        let kept = self.tree.nodes.len().max(FEWEST_TIMED);
        self.trim_pace = begun.elapsed().as_secs_f64() / kept as f64;
    }

    /// The number of leaves wanted at a time: each changes where to look next, which
    /// matters most at first.
    fn wanted(&self, root: NodeId) -> usize {
        1 + (self.tree.nodes[root.index()].visits / VISITS_PER_LEAF) as usize
    }

    /// The number of leaves to select now.
    fn room(&self, root: NodeId) -> usize {
        let wanted = self.wanted(root);
        let Some(playouts) = &self.playouts else {
            return wanted.min(self.settings.batch);
        };
        let under_way = self.paths.len() - self.free.len();
        let room = playouts.room(wanted).min(wanted.saturating_sub(under_way));
        // A few leaves together are expanded faster than one by one.
        let fewest = wanted.min(playouts.most_leaves()).div_ceil(4);
        match room >= fewest {
            true => room.min(self.settings.batch),
            false => 0,
        }
    }

    /// Selects a batch of leaves, no more than this number.
    fn select_leaves(&mut self, root: NodeId, most: u64) {
        self.batch.clear();
        for _ in 0..most.min(self.room(root) as u64) {
            let index = self.free.pop().unwrap_or_else(|| {
                self.paths.push(PuctPath::default());
                self.paths.len() - 1
            });
            let path = &mut self.paths[index];
            let (rule, joint) = (&mut self.rule, &mut self.joint);
            let end = self.tree.descend(root, rule, &self.goals, path, joint);
            if end == DescentEnd::Busy {
                self.tree.retract(path);
                self.free.push(index);
                break;
            }
            self.deepest = self.deepest.max(path.len());
            self.steps += path.len() as u64;
            self.batch.push((index, end));
        }
        self.descents += self.batch.len() as u64;
        self.batches += u64::from(!self.batch.is_empty());
    }

    /// Expands the leaves of the batch, so that the ends of all paths are known.
    fn expand_leaves(&mut self) {
        self.added.clear();
        let (Some(network), goals) = (&self.network, &self.goals) else {
            return;
        };
        let paths = &self.paths;
        let leaves = self.batch.iter();
        let leaves = leaves.filter(|(_, end)| *end == DescentEnd::Leaf);
        let leaves = leaves.map(|&(path, _)| &paths[path]);
        let (tree, added) = (&mut self.tree, &mut self.added);
        self.expansion.add(tree, leaves, network, goals, added);
    }

    /// Enters the values of the ends of the batch along their paths, except for those
    /// that are played out first.
    fn back_up_batch(&mut self, root: NodeId) {
        let wanted = self.wanted(root);
        let mut added = self.added.iter().copied();
        for index in 0..self.batch.len() {
            let (path, end) = self.batch[index];
            let (node, is_leaf) = match end {
                DescentEnd::Known(node) => (node, false),
                DescentEnd::Leaf => match added.next() {
                    Some(node) => (node, true),
                    None => continue,
                },
                DescentEnd::Busy => continue,
            };
            self.known += u64::from(!is_leaf);
            let is_open = !self.tree.nodes[node.index()].is_closed;
            match &mut self.playouts {
                Some(playouts) if is_leaf && is_open && self.expansion.take_new(node) => {
                    playouts.start(path, self.tree.state(node), wanted);
                    self.played_out.resize(self.paths.len(), node);
                    self.played_out[path] = node;
                }
                _ => {
                    self.tree.back_up(&self.paths[path], node, &self.goals);
                    self.free.push(path);
                }
            }
        }
    }

    /// Goes on with playouts, and enters the values of leaves whose playouts are over.
    fn step_playouts(&mut self) {
        let Some(playouts) = &mut self.playouts else {
            return;
        };
        let weight = self.settings.playouts;
        let mut factors = [1.0; MAX_HEADS];
        let factors = &mut factors[..self.tree.roles()];
        playouts.step(&mut |path, games| {
            let node = self.played_out[path];
            for (role, factor) in factors.iter_mut().enumerate() {
                *factor = games.odds(role).powf(weight);
            }
            self.tree.multiply_odds(node, factors);
            self.tree.back_up(&self.paths[path], node, &self.goals);
            self.free.push(path);
        });
    }

    /// Takes back the descents whose leaves are being played out.
    fn abandon_playouts(&mut self) {
        let Some(playouts) = &mut self.playouts else {
            return;
        };
        playouts.clear(&mut |path| {
            self.tree.retract(&self.paths[path]);
            self.free.push(path);
        });
    }

    /// The moves of a role at the root, each with its evaluation and whether it takes no more
    /// visits; empty if the state is not the root or the role does not decide there.
    fn evaluations(&self, state: &State, role: Role) -> Vec<(MoveEvaluation, bool)> {
        let root = self.root.filter(|&root| self.tree.state(root) == &*state.0);
        let Some(root) = root else { return Vec::new() };
        let edges = &self.tree.edges[self.tree.span(root, role)];
        let evaluation = |edge: &super::tree::Edge| {
            let bounds = edge.child().map(|child| self.tree.bounds(child)[role]);
            let [low, high] = bounds.unwrap_or([0, 100]);
            let evaluation = MoveEvaluation {
                mv: edge.mv,
                visits: edge.visits,
                value: (f64::from(edge.mean) * 100.0).clamp(low.into(), high.into()),
                proven: low == high,
                pruned: false,
            };
            (evaluation, edge.is_closed || low == high)
        };
        edges.iter().map(evaluation).collect()
    }

    /// The move to play given what is known, and the evaluations of all moves. If none of the legal
    /// moves was searched, the first is chosen.
    #[must_use]
    pub fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        let mut moves = self.evaluations(state, role);
        // Only the engine decides what is legal.
        moves.retain(|(evaluation, _)| legal.contains(&evaluation.mv));
        let chosen = best_move(&moves).unwrap_or(legal[0]);
        moves.sort_by_key(|(evaluation, _)| std::cmp::Reverse(evaluation.visits));
        SearchResult {
            evaluations: moves
                .into_iter()
                .map(|(evaluation, _)| evaluation)
                .collect(),
            ..SearchResult::without_search(chosen)
        }
    }

    /// Whether the best move of a role at the root is proven, and gives it more than nothing:
    /// proofs do not tell which of several lost moves is the hardest to answer.
    #[must_use]
    pub fn has_proof(&self, role: Role) -> bool {
        self.root.is_some_and(|root| {
            let [low, high] = self.tree.bounds(root)[role];
            low == high && low > 0 && self.is_exhausted()
        })
    }

    /// The goals of all roles if those of a state are proven.
    #[must_use]
    pub fn proven_goals(&self, state: &State) -> Option<Vec<i32>> {
        let bounds = self.tree.bounds(self.tree.find(&state.0)?);
        let goal = |&[low, high]: &[u8; 2]| (low == high).then_some(i32::from(low));
        bounds.iter().map(goal).collect()
    }

    /// Uses another network from now on, which values states by these features, and drops what the
    /// previous one valued.
    pub fn set_network(&mut self, network: QuantisedNetwork, features: FeatureSet) {
        self.expansion.set_features(features);
        self.forget();
        self.goals.has_constant_sum = network.heads() == ValueHeads::ConstantSum;
        self.network = Some(network);
    }

    /// Clears the tree, and gives its memory back.
    pub fn forget(&mut self) {
        self.tree = PuctTree::new(self.tree.roles(), self.tree.words);
        self.root = None;
    }

    /// Limits the tree to this many bytes from now on. If it takes more already, it is cleared.
    pub fn set_memory(&mut self, bytes: usize) {
        self.settings.memory = bytes;
        if self.tree.bytes() > bytes {
            self.forget();
        }
    }

    /// Continues on other machines that number states and moves alike.
    pub fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.expansion.move_to(lanes(0));
        if let Some(playouts) = &mut self.playouts {
            playouts.move_to(lanes(1));
        }
    }
}

/// The move to play: the most visited one, unless a move that takes no more visits, as its flag
/// says, has at least the same value. Of equally good ones of the latter, a proven one comes first.
fn best_move(moves: &[(MoveEvaluation, bool)]) -> Option<Move> {
    let among = |closed: bool| {
        let moves = moves
            .iter()
            .filter(move |&&(_, is_closed)| is_closed == closed);
        moves.map(|(evaluation, _)| evaluation)
    };
    let open = among(false).max_by(|one, other| {
        let visits = one.visits.cmp(&other.visits);
        visits.then(one.value.total_cmp(&other.value))
    });
    let closed = among(true).max_by(|one, other| {
        let value = one.value.total_cmp(&other.value);
        let order = value.then(one.proven.cmp(&other.proven));
        order.then(one.visits.cmp(&other.visits))
    });
    let best = match (open, closed) {
        (Some(open), Some(closed)) if closed.value < open.value => open,
        (open, closed) => closed.or(open)?,
    };
    Some(best.mv)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use gdl_engines::{EngineKind, EngineOptions};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::{EvaluatedSearch, PuctSettings};
    use crate::learning::QuantisedNetwork;
    use crate::learning::network::{ValueHeads, ValueNetwork};
    use crate::puct::GoalModel;

    /// Descents of a batch often end in the same state after the same moves in another order.
    #[test]
    fn no_leaf_is_played_out_twice() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tictactoe.kif");
        let options = EngineOptions::default();
        let engine = gdl_engines::open(&path, EngineKind::Net, &options)
            .unwrap()
            .engine;
        let initial = engine.initial();
        let words = initial.0.len();
        for _ in 0..10 {
            let goals = GoalModel::up_to(vec![100, 100]);
            let search =
                EvaluatedSearch::new(engine.lanes(1), words, goals, PuctSettings::default());
            let mut search = search.with_playouts(engine.lanes(2), 1.0);
            let network = ValueNetwork::random(64 * words, ValueHeads::ConstantSum, &mut random);
            search.set_network(QuantisedNetwork::new(&network, 6.0), Default::default());
            search.set_root(&initial);
            for _ in 0..200 {
                search.step(u64::MAX);
                let under_way = (0..search.paths.len()).filter(|path| !search.free.contains(path));
                let mut leaves = under_way.map(|path| search.played_out[path]);
                let mut seen = HashSet::new();
                assert!(leaves.all(|leaf| seen.insert(leaf)));
            }
        }
    }
}
