//! The search graph: nodes by state, with statistics per role and move.
//!
//! A state is one node however it is reached (a transposition table that is also the
//! arena), so the graph may contain joins and, in games without a step counter,
//! cycles. A node's moves are entered by [`SearchTree::expand`], not when the node is
//! made: most nodes are seen once and never need them.
//!
//! Invariants: the edges of a node are contiguous, role after role, in the engine's
//! order of moves; only [`SearchTree::keep_reachable`] removes nodes, and it renumbers
//! all of them.
//!
//! This file defines the structure of the graph; `statistics` counts visits and
//! returns, `virtual_loss` accounts for simulations in flight, `outcomes` holds
//! proven goals, `joint_moves` holds statistics of joint moves, `memory` measures
//! how much memory the graph takes, and `trim` makes room.

pub mod edge;
mod edge_statistics;
pub mod joint;
mod joint_moves;
mod memory;
pub mod node;
mod outcomes;
pub mod path;
mod states;
mod statistics;
mod table;
mod trim;
mod virtual_loss;

use std::num::NonZeroU32;
use std::ops::Range;

use gdl_runtime::engine::{Move, Role, State};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use edge::{EdgeScore, MoveEdge};
use edge_statistics::EdgeStatistics;
use joint::JointStatistics;
use node::TreeNodeId;
use states::States;

/// A vector of goal values, one per role, in the tree's table of them.
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

/// The part of a node that selection and backup touch, aligned so that it never
/// straddles two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct TreeNode {
    visits: u32,
    pending: u32,
    outcome: Option<OutcomeId>,
    /// The best proven outcome of a move of the role that decides.
    best_proven: Option<OutcomeId>,
    /// One more than the node's first edge, if expanded.
    first: Option<NonZeroU32>,
    /// The number of moves of the role that decides; where several do, the index in
    /// `bounds` at which the node's role boundaries begin.
    extent: u32,
    /// The last descent that visited the node.
    descent: u32,
    /// The role that decides, or `SEVERAL`.
    mover: u32,
}

const SEVERAL: u32 = u32::MAX;

/// The search graph of one searcher.
#[derive(Debug)]
pub struct SearchTree {
    roles: usize,
    /// The roles whose goal does not depend on how the game ends.
    indifferent: Vec<Role>,
    limit: usize,
    /// The size of what is kept about states outside the graph, in bytes.
    aside: usize,
    states: States,
    nodes: Vec<TreeNode>,
    /// For each expanded node where several roles decide, its `roles + 1` boundaries
    /// in `edges`.
    bounds: Vec<u32>,
    edges: Vec<MoveEdge>,
    /// What descents touch of `edges`, in the same order.
    scores: Vec<EdgeScore>,
    /// The selection rule's own statistics of `edges`.
    statistics: EdgeStatistics,
    /// Those of the rule for simultaneous moves.
    strategies: EdgeStatistics,
    /// For each edge and role, the excess of its proof number over 1, if they are kept.
    proof_numbers: EdgeStatistics,
    joint_statistics: JointStatistics,
    /// Successors of nodes where several roles choose, by joint move.
    joints: IndexMap<(TreeNodeId, u64), TreeNodeId, FxBuildHasher>,
    outcomes: IndexSet<Box<[i32]>, FxBuildHasher>,
    /// The number of lost simulations that one in flight counts as.
    virtual_loss: f64,
    descent: u32,
    root: Option<TreeNodeId>,
}

impl SearchTree {
    /// An empty graph of a game with this number of roles, limited to `limit` bytes.
    /// `statistics_per_edge` is the number of statistics the selection rule keeps of
    /// its own.
    ///
    /// Tables double when they grow, and while one is copied, its old and new version
    /// exist side by side: the limit does not cover that moment.
    #[must_use]
    pub fn new(roles: usize, limit: usize, statistics_per_edge: usize) -> Self {
        Self {
            roles,
            indifferent: Vec::new(),
            limit,
            aside: 0,
            states: States::default(),
            nodes: Vec::new(),
            bounds: Vec::new(),
            edges: Vec::new(),
            scores: Vec::new(),
            statistics: EdgeStatistics::new(statistics_per_edge),
            strategies: EdgeStatistics::default(),
            proof_numbers: EdgeStatistics::default(),
            joint_statistics: JointStatistics::default(),
            joints: IndexMap::default(),
            outcomes: IndexSet::default(),
            virtual_loss: 0.0,
            descent: 0,
            root: None,
        }
    }

    /// Makes room for this number of statistics per edge that a rule for simultaneous
    /// moves keeps of its own.
    #[must_use]
    pub fn with_strategies(self, per_edge: usize) -> Self {
        Self {
            strategies: EdgeStatistics::new(per_edge),
            ..self
        }
    }

    /// Makes room for the [proof numbers](crate::selection::proof_numbers) of edges, if they are
    /// kept.
    #[must_use]
    pub fn with_proof_numbers(self, kept: bool) -> Self {
        let roles = if kept { self.roles } else { 0 };
        Self {
            proof_numbers: EdgeStatistics::new(roles),
            ..self
        }
    }

    /// The same for a game in which the goals of these roles do not depend on how it ends.
    #[must_use]
    pub fn with_indifferent(self, roles: Vec<Role>) -> Self {
        Self {
            indifferent: roles,
            ..self
        }
    }

    /// Whether a role prefers some ends of the game to others, as far as is known.
    #[must_use]
    pub fn has_preferences(&self, role: Role) -> bool {
        !self.indifferent.contains(&role)
    }

    /// Removes all nodes, but keeps the memory: pages that the system hands out anew
    /// have to be cleared and are cold.
    pub fn clear(&mut self) {
        self.states.clear();
        self.nodes.clear();
        self.bounds.clear();
        self.edges.clear();
        self.scores.clear();
        self.statistics.clear();
        self.strategies.clear();
        self.proof_numbers.clear();
        self.joint_statistics.clear();
        self.joints.clear();
        self.outcomes.clear();
        self.descent = 0;
        self.root = None;
    }

    /// Limits the graph to this many bytes from now on. If it takes more already, it is emptied
    /// and gives its memory back.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        if self.bytes() > limit {
            self.clear();
            self.states = States::default();
            self.joint_statistics = JointStatistics::default();
            self.joints = IndexMap::default();
            self.give_back_room();
        }
    }

    /// The number of roles of the game.
    #[must_use]
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a state, if it is known.
    #[must_use]
    pub fn find(&self, state: &State) -> Option<TreeNodeId> {
        self.find_words(&state.0)
    }

    fn find_words(&self, state: &[u64]) -> Option<TreeNodeId> {
        self.states.find(state).and_then(TreeNodeId::new)
    }

    /// The node of a state, given as its words, and whether it is new; `None` if it
    /// would be new and there is no room.
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
                best_proven: None,
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

    /// The number of simulations that passed or ended here.
    #[must_use]
    pub fn visits(&self, node: TreeNodeId) -> u32 {
        self.nodes[node.index()].visits
    }

    /// The number of simulations that passed or ended here or are in flight.
    #[inline]
    #[must_use]
    pub fn started(&self, node: TreeNodeId) -> u32 {
        let node = &self.nodes[node.index()];
        node.visits + node.pending
    }

    /// Enters the moves of all roles, each of which has at least one.
    pub fn expand(&mut self, node: TreeNodeId, moves: &[Vec<Move>]) {
        let first = self.edges.len();
        let all = moves.iter().flatten();
        self.edges.extend(all.map(|&mv| MoveEdge::new(mv)));
        self.scores.resize(self.edges.len(), EdgeScore::new());
        self.statistics.resize(self.edges.len());
        self.strategies.resize(self.edges.len());
        self.proof_numbers.resize(self.edges.len());
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

    /// The indices of a role's moves among all edges; empty if not expanded.
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

    /// What a descent reads of a role's moves at a node.
    #[inline]
    #[must_use]
    pub fn scores(&self, node: TreeNodeId, role: Role) -> &[EdgeScore] {
        &self.scores[self.span(node, role)]
    }

    /// The selection rule's own statistics of a role's moves at a node.
    #[inline]
    #[must_use]
    pub fn statistics(&self, node: TreeNodeId, role: Role) -> &[f32] {
        self.statistics.of(self.span(node, role))
    }

    /// A role's moves at a node with the selection rule's own statistics of them.
    pub fn statistics_mut(&mut self, node: TreeNodeId, role: Role) -> (&[MoveEdge], &mut [f32]) {
        let span = self.span(node, role);
        let statistics = self.statistics.of_mut(span.clone());
        (&self.edges[span], statistics)
    }

    /// For each move of one role, the proof number of a role, this or another one, after it.
    pub(crate) fn proof_numbers(
        &self,
        node: TreeNodeId,
        mover: Role,
        role: Role,
    ) -> impl Iterator<Item = f32> + Clone + '_ {
        let all = self.proof_numbers.of(self.span(node, mover));
        all.iter()
            .skip(role)
            .step_by(self.roles)
            .map(|excess| 1.0 + excess)
    }

    /// Sets the proof numbers of all roles after a move.
    pub(crate) fn set_proof_numbers(&mut self, edge: u32, numbers: &[f32]) {
        let edge = edge as usize;
        let own = self.proof_numbers.of_mut(edge..edge + 1);
        own.iter_mut()
            .zip(numbers)
            .for_each(|(own, number)| *own = number - 1.0);
    }

    /// The statistics that the rule for simultaneous moves keeps of a role's moves.
    #[must_use]
    pub fn strategies(&self, node: TreeNodeId, role: Role) -> &[f32] {
        self.strategies.of(self.span(node, role))
    }

    /// As [`strategies`](Self::strategies), to be changed.
    pub fn strategies_mut(&mut self, node: TreeNodeId, role: Role) -> &mut [f32] {
        let span = self.span(node, role);
        self.strategies.of_mut(span)
    }

    /// An edge by its index among all edges.
    #[inline]
    #[must_use]
    pub fn edge(&self, index: u32) -> &MoveEdge {
        &self.edges[index as usize]
    }

    /// The node a joint move (one edge per role) leads to, if known.
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

    /// The node an edge of a [`Mover::One`] leads to, if known.
    #[inline]
    #[must_use]
    pub fn edge_child(&self, index: u32) -> Option<TreeNodeId> {
        self.scores[index as usize].child
    }

    /// Records where a joint move leads.
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
}
