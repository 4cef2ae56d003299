//! The search graph: nodes by state, with statistics per role and move.
//!
//! A state is one node however it is reached (a transposition table that is
//! also the arena), so the graph may contain joins and, in games without a
//! step counter, cycles. A node's moves are entered by [`SearchTree::expand`], not
//! when the node is made: most nodes are seen once and never need them.
//!
//! Invariants: the edges of a node lie together, role after role, in the
//! engine's order of moves; a node is never removed except by [`SearchTree::keep_reachable`],
//! which renumbers all.

pub mod edge;
pub mod node;
pub mod path;
mod states;
mod trim;

use std::num::NonZeroU32;
use std::ops::Range;

use gdl_runtime::engine::{Move, Role, State};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use edge::{EdgeScore, MoveEdge, SolvedStatus};
use node::TreeNodeId;
use states::States;

/// A vector of goal values, one a role, in the tree's table of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutcomeId(NonZeroU32);

/// Who decides where a node leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// Every other role has exactly one move.
    One(Role),
    /// Several roles have a choice.
    Several,
}

/// The part of a node that selection and backing up touch: never in two lines of
/// a cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct TreeNode {
    visits: u32,
    pending: u32,
    outcome: Option<OutcomeId>,
    /// One more than the node's first edge, if expanded.
    first: Option<NonZeroU32>,
    /// How many moves the role that decides has; where several do, where the
    /// node's role boundaries begin in `bounds`.
    extent: u32,
    /// The last descent that came through.
    descent: u32,
    /// The role that decides, or `SEVERAL`.
    mover: u32,
}

const SEVERAL: u32 = u32::MAX;

/// Visits of a node or edge beyond which they and the returns are halved:
/// averages stay, and numbers of 32 bits suffice for days of search.
const MOST_VISITS: u32 = 1 << 30;

/// Entries that one node adds to a table at most, but for nodes with
/// exceptionally many moves.
const SPARE: usize = 1024;

/// A growing table: entries, room for entries, bytes of an entry.
#[derive(Debug, Clone, Copy)]
struct TableUsage {
    len: usize,
    capacity: usize,
    entry: usize,
}

/// The graph.
#[derive(Debug)]
pub struct SearchTree {
    roles: usize,
    limit: usize,
    states: States,
    nodes: Vec<TreeNode>,
    /// For every expanded node where several roles decide, its `roles + 1`
    /// boundaries in `edges`.
    bounds: Vec<u32>,
    edges: Vec<MoveEdge>,
    /// What descents touch of `edges`, in the same order.
    scores: Vec<EdgeScore>,
    /// So many statistics of the selection's own for every edge, in the same order.
    statistics: Vec<f32>,
    statistics_per_edge: usize,
    /// Successors of nodes where several roles choose, by joint move.
    joints: IndexMap<(TreeNodeId, u64), TreeNodeId, FxBuildHasher>,
    outcomes: IndexSet<Box<[i32]>, FxBuildHasher>,
    descent: u32,
    root: Option<TreeNodeId>,
}

impl SearchTree {
    /// An empty graph of a game with so many roles, to stay below `limit`
    /// bytes, with so many statistics of the selection's own for every edge.
    ///
    /// Tables double when they grow, and while they are copied old and new are
    /// both there: the limit holds but for that moment.
    #[must_use]
    pub fn new(roles: usize, limit: usize, statistics_per_edge: usize) -> Self {
        Self {
            roles,
            limit,
            states: States::default(),
            nodes: Vec::new(),
            bounds: Vec::new(),
            edges: Vec::new(),
            scores: Vec::new(),
            statistics: Vec::new(),
            statistics_per_edge,
            joints: IndexMap::default(),
            outcomes: IndexSet::default(),
            descent: 0,
            root: None,
        }
    }

    /// Forgets everything, but keeps the memory: what a system gives anew is far
    /// away, and cleared page by page.
    pub fn clear(&mut self) {
        self.states.clear();
        self.nodes.clear();
        self.bounds.clear();
        self.edges.clear();
        self.scores.clear();
        self.statistics.clear();
        self.joints.clear();
        self.outcomes.clear();
        self.descent = 0;
        self.root = None;
    }

    /// How many roles the game has.
    #[must_use]
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables = self.tables();
        let capacities = tables.iter().map(|table| table.capacity * table.entry);
        capacities.sum::<usize>()
    }

    /// Whether it is time to [make room](SearchTree::keep_reachable): more than half of
    /// the bytes that there may be are taken, or nothing can be added.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        let taken = self
            .tables()
            .iter()
            .map(|table| table.len * table.entry)
            .sum::<usize>();
        taken > self.limit / 2 || !self.has_room()
    }

    /// Whether nodes and moves may still be added: tables that are about to
    /// double must find room for that.
    #[must_use]
    pub fn has_room(&self) -> bool {
        let tables = self.tables();
        let growing = tables
            .iter()
            .filter(|table| table.len + SPARE > table.capacity);
        let growth: usize = growing.map(|table| table.capacity * table.entry).sum();
        let room =
            self.bytes() + growth + SPARE < self.limit && self.edges.len() < u32::MAX as usize / 2;
        room || self.nodes.len() < 2
    }

    /// What takes memory.
    fn tables(&self) -> [TableUsage; 9] {
        const INDEX: usize = 2 * size_of::<usize>();
        const JOINT: usize = size_of::<(TreeNodeId, u64, TreeNodeId)>();
        let table = |len, capacity, entry| TableUsage {
            len,
            capacity,
            entry,
        };
        let [words, ends, hashes] = self.states.tables();
        [
            words,
            ends,
            hashes,
            table(
                self.nodes.len(),
                self.nodes.capacity(),
                size_of::<TreeNode>(),
            ),
            table(self.bounds.len(), self.bounds.capacity(), size_of::<u32>()),
            table(
                self.edges.len(),
                self.edges.capacity(),
                size_of::<MoveEdge>(),
            ),
            table(
                self.scores.len(),
                self.scores.capacity(),
                size_of::<EdgeScore>(),
            ),
            table(
                self.statistics.len(),
                self.statistics.capacity(),
                size_of::<f32>(),
            ),
            table(self.joints.len(), self.joints.capacity(), JOINT + INDEX),
        ]
    }

    /// The node of a state, if it is known.
    #[must_use]
    pub fn find(&self, state: &State) -> Option<TreeNodeId> {
        self.find_words(&state.0)
    }

    fn find_words(&self, state: &[u64]) -> Option<TreeNodeId> {
        self.states.find(state).and_then(TreeNodeId::new)
    }

    /// The node of a state, given as its words, new or known, and whether it is
    /// new; nothing if it is new and there is no room.
    pub fn insert(&mut self, state: &[u64]) -> Option<(TreeNodeId, bool)> {
        if !self.has_room() {
            return self.find_words(state).map(|node| (node, false));
        }
        let (index, new) = self.states.insert(state);
        if new {
            self.nodes.push(TreeNode {
                visits: 0,
                pending: 0,
                outcome: None,
                first: None,
                extent: 0,
                descent: 0,
                mover: SEVERAL,
            });
        }
        TreeNodeId::new(index).map(|node| (node, new))
    }

    /// The words of a node's state.
    #[must_use]
    pub fn state(&self, node: TreeNodeId) -> &[u64] {
        self.states.words(node.index())
    }

    /// Simulations that passed or ended here.
    #[must_use]
    pub fn visits(&self, node: TreeNodeId) -> u32 {
        self.nodes[node.index()].visits
    }

    /// Finished simulations and those in flight.
    #[inline]
    #[must_use]
    pub fn started(&self, node: TreeNodeId) -> u32 {
        let node = &self.nodes[node.index()];
        node.visits + node.pending
    }

    /// Enters the moves of every role; each must have at least one.
    pub fn expand(&mut self, node: TreeNodeId, moves: &[Vec<Move>]) {
        let first = self.edges.len();
        let all = moves.iter().flatten();
        self.edges.extend(all.map(|&mv| MoveEdge::new(mv)));
        self.scores.resize(self.edges.len(), EdgeScore::new());
        self.statistics
            .resize(self.edges.len() * self.statistics_per_edge, 0.0);
        let mut choosing = (0..moves.len()).filter(|&role| moves[role].len() > 1);
        let entry = &mut self.nodes[node.index()];
        entry.first = NonZeroU32::new(first as u32 + 1);
        match (choosing.next(), choosing.next()) {
            (_, Some(_)) => {
                entry.mover = SEVERAL;
                entry.extent = self.bounds.len() as u32;
                let mut end = first;
                self.bounds.push(end as u32);
                self.bounds.extend(moves.iter().map(|moves| {
                    end += moves.len();
                    end as u32
                }));
            }
            (decider, None) => {
                let role = decider.unwrap_or(0);
                entry.mover = role as u32;
                entry.extent = moves[role].len() as u32;
            }
        }
    }

    /// Whether the node's moves have been entered.
    #[inline]
    #[must_use]
    pub fn is_expanded(&self, node: TreeNodeId) -> bool {
        self.nodes[node.index()].first.is_some()
    }

    /// Who decides where an expanded node leads.
    #[inline]
    #[must_use]
    pub fn mover(&self, node: TreeNodeId) -> Mover {
        match self.nodes[node.index()].mover {
            SEVERAL => Mover::Several,
            role => Mover::One(role as Role),
        }
    }

    /// Where a role's moves lie among all edges; empty if not expanded.
    #[inline]
    #[must_use]
    pub fn span(&self, node: TreeNodeId, role: Role) -> Range<usize> {
        let entry = &self.nodes[node.index()];
        let Some(first) = entry.first else {
            return 0..0;
        };
        if entry.mover == SEVERAL {
            let at = entry.extent as usize + role;
            return self.bounds[at] as usize..self.bounds[at + 1] as usize;
        }
        // All other roles have one move each.
        let (first, decider) = (first.get() as usize - 1, entry.mover as usize);
        let extra = entry.extent as usize - 1;
        let start = first + role + if role > decider { extra } else { 0 };
        start..start + 1 + if role == decider { extra } else { 0 }
    }

    /// A role's moves at a node.
    #[inline]
    #[must_use]
    pub fn edges(&self, node: TreeNodeId, role: Role) -> &[MoveEdge] {
        &self.edges[self.span(node, role)]
    }

    /// What selection reads of a role's moves at a node.
    #[inline]
    #[must_use]
    pub fn scores(&self, node: TreeNodeId, role: Role) -> &[EdgeScore] {
        &self.scores[self.span(node, role)]
    }

    /// The selection's own statistics of a role's moves at a node.
    #[inline]
    #[must_use]
    pub fn statistics(&self, node: TreeNodeId, role: Role) -> &[f32] {
        let span = self.span(node, role);
        let each = self.statistics_per_edge;
        &self.statistics[span.start * each..span.end * each]
    }

    /// A role's moves at a node with the selection's own statistics of them.
    pub fn statistics_mut(&mut self, node: TreeNodeId, role: Role) -> (&[MoveEdge], &mut [f32]) {
        let span = self.span(node, role);
        let each = self.statistics_per_edge;
        let statistics = &mut self.statistics[span.start * each..span.end * each];
        (&self.edges[span], statistics)
    }

    /// An edge by its position among all edges.
    #[inline]
    #[must_use]
    pub fn edge(&self, index: u32) -> &MoveEdge {
        &self.edges[index as usize]
    }

    /// Notes what is proven about an edge and makes its average exact.
    pub fn mark(&mut self, index: u32, status: SolvedStatus, value: i32) {
        let edge = &mut self.edges[index as usize];
        edge.status = status;
        edge.sum = f64::from(value) * f64::from(edge.visits);
        self.scores[index as usize].set_mean(edge);
    }

    /// Where a joint move (an edge of every role) leads, if that is known.
    #[inline]
    #[must_use]
    pub fn child(&self, node: TreeNodeId, joint: &[u32]) -> Option<TreeNodeId> {
        match self.mover(node) {
            Mover::One(role) => self.edge_child(joint[role]),
            Mover::Several => {
                let key = self.joint_number(node, joint)?;
                self.joints.get(&(node, key)).copied()
            }
        }
    }

    /// Where an edge of a [`Mover::One`] leads, if that is known.
    #[inline]
    #[must_use]
    pub fn edge_child(&self, index: u32) -> Option<TreeNodeId> {
        self.scores[index as usize].child
    }

    /// Notes where a joint move leads.
    pub fn link(&mut self, node: TreeNodeId, joint: &[u32], child: TreeNodeId) {
        match self.mover(node) {
            Mover::One(role) => self.scores[joint[role] as usize].child = Some(child),
            Mover::Several => {
                if let Some(key) = self.joint_number(node, joint) {
                    self.joints.insert((node, key), child);
                }
            }
        }
    }

    /// Numbers the joint moves of a node, role 0 varying slowest. A node with
    /// more than 2^64 of them has no successors in the graph: every simulation
    /// through it ends there.
    fn joint_number(&self, node: TreeNodeId, joint: &[u32]) -> Option<u64> {
        let mut number = 0u64;
        for (role, &edge) in joint.iter().enumerate() {
            let span = self.span(node, role);
            number = number
                .checked_mul(span.len() as u64)?
                .checked_add(u64::from(edge) - span.start as u64)?;
        }
        Some(number)
    }

    /// Begins a descent from a root, so that [`SearchTree::enter`] can tell cycles.
    pub fn begin_descent(&mut self, root: TreeNodeId) {
        self.root = Some(root);
        self.descent = self.descent.wrapping_add(1);
        if self.descent == 0 {
            self.descent = 1;
            self.nodes.iter_mut().for_each(|node| node.descent = 0);
        }
    }

    /// Marks a node as reached by this descent; false if it was already.
    #[inline]
    pub fn enter(&mut self, node: TreeNodeId) -> bool {
        let node = &mut self.nodes[node.index()];
        let first = node.descent != self.descent;
        node.descent = self.descent;
        first
    }

    /// Counts simulations in flight through a node along the edges of a joint
    /// move.
    #[inline]
    pub fn add_pending(&mut self, node: TreeNodeId, joint: &[u32], simulations: u32) {
        self.nodes[node.index()].pending += simulations;
        for role in self.counted(node, joint) {
            let score = &mut self.scores[joint[role] as usize];
            score.set_tries(score.tries + simulations);
        }
    }

    /// Undoes [`SearchTree::add_pending`].
    pub fn remove_pending(&mut self, node: TreeNodeId, joint: &[u32], simulations: u32) {
        self.nodes[node.index()].pending -= simulations;
        for role in self.counted(node, joint) {
            let score = &mut self.scores[joint[role] as usize];
            score.set_tries(score.tries - simulations);
        }
    }

    /// Turns simulations in flight into finished ones: for every role the sum of
    /// their returns.
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
        }
    }

    /// The roles whose edges of a joint move are counted: but at the root, only
    /// those that have a choice.
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

    /// The proven goal values of a node.
    #[inline]
    #[must_use]
    pub fn outcome(&self, node: TreeNodeId) -> Option<OutcomeId> {
        self.nodes[node.index()].outcome
    }

    /// Goal values by number.
    #[must_use]
    pub fn goals(&self, outcome: OutcomeId) -> &[i32] {
        &self.outcomes[outcome.0.get() as usize - 1]
    }

    /// The number of a vector of goal values, one a role.
    pub fn outcome_of(&mut self, goals: &[i32]) -> Option<OutcomeId> {
        let index = match self.outcomes.get_index_of(goals) {
            Some(index) => index,
            None => self.outcomes.insert_full(goals.into()).0,
        };
        TreeNodeId::new(index).map(|number| OutcomeId(number.0))
    }

    /// Notes that a node's goal values are proven.
    pub fn mark_solved(&mut self, node: TreeNodeId, outcome: OutcomeId) {
        self.nodes[node.index()].outcome = Some(outcome);
    }
}
