//! The search graph: nodes by state, all of them expanded.

use std::ops::Range;

use gdl_runtime::engine::{Move, Role};
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

use crate::state_hash::hash_of;

/// The index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Marks an edge whose successor has no node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// Marks a node where several roles decide.
const SEVERAL: u8 = u8::MAX;

/// The sizes in bytes of the entries of a state and of a joint move in hash tables, for tables
/// halfway between two times that they grow.
const INDEX_BYTES: usize = 8;
const JOINT_BYTES: usize = 36;

/// The smallest number of entries by which a table grows.
const LEAST_GROWTH: usize = 1024;

/// A position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The number of descents through it, those under way included.
    pub(super) visits: u32,
    /// Its first edge.
    pub(super) first: u32,
    /// The number of its edges: of the role that decides, or of all roles.
    pub(super) count: u32,
    /// Where one role decides, the number of edges that were ever selected. They are the
    /// first ones, since edges are in the order of their priors. Where several decide, the
    /// place of their numbers of edges in `spans`.
    pub(super) opened: u32,
    /// The role that decides, or `SEVERAL`.
    pub(super) decider: u8,
    /// Whether there is nothing left to find out.
    pub(super) is_closed: bool,
}

/// A move of one role.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// The mean value for the role, 0 to 1. At first it is that of the successor's
    /// evaluation.
    pub(super) mean: f32,
    /// The prior probability.
    pub(super) prior: f32,
    /// The number of values in the mean.
    pub(super) visits: u32,
    child: u32,
    /// The first edge of that node. It is kept here too, so that the processor can fetch the
    /// node's edges without waiting for the node.
    child_first: u32,
    pub(super) mv: Move,
    /// The number of descents under way.
    pub(super) pending: u16,
    /// Whether further visits are useless: its value is exact, or another edge is at
    /// least as good in any case.
    pub(super) is_closed: bool,
}

impl Edge {
    /// A move that was never selected.
    pub(super) fn new(mv: Move, prior: f32, mean: f32, visits: u32) -> Self {
        Self {
            mean,
            prior,
            visits,
            child: NO_NODE,
            child_first: 0,
            mv,
            pending: 0,
            is_closed: false,
        }
    }

    /// The node that it leads to, if it is known and its role alone decides.
    #[inline]
    pub(super) fn child(&self) -> Option<NodeId> {
        (self.child != NO_NODE).then_some(NodeId(self.child))
    }

    /// Renumbers the node that it leads to, if it leads to one, and that node's first edge, by
    /// what `moved` says.
    #[inline]
    pub(super) fn relink(&mut self, moved: impl Fn(NodeId) -> Option<(NodeId, u32)>) {
        if let Some(child) = self.child() {
            let (child, first) = moved(child).unwrap_or((NodeId(NO_NODE), 0));
            self.child = child.0;
            self.child_first = first;
        }
    }
}

/// The graph.
#[derive(Debug)]
pub(super) struct PuctTree {
    roles: usize,
    pub(super) words: usize,
    pub(super) nodes: Vec<Node>,
    /// The moves of all nodes, in the order of these.
    pub(super) edges: Vec<Edge>,
    pub(super) states: Vec<u64>,
    /// For each node and role, the first value of the node.
    pub(super) values: Vec<f32>,
    /// For each node and role, the least and the greatest goal value to be reached.
    pub(super) bounds: Vec<[u8; 2]>,
    /// Nodes by state.
    table: HashTable<u32>,
    /// Nodes at the ends of games, by their goals.
    pub(super) outcomes: HashMap<Box<[i32]>, NodeId, FxBuildHasher>,
    /// For nodes where several roles decide, the number of moves of each, in the order of these.
    pub(super) spans: Vec<u32>,
    /// Successors of nodes where several roles decide, by joint move.
    pub(super) joints: HashMap<(NodeId, u64), NodeId, FxBuildHasher>,
}

impl PuctTree {
    pub(super) fn new(roles: usize, words: usize) -> Self {
        Self {
            roles,
            words,
            nodes: Vec::new(),
            edges: Vec::new(),
            states: Vec::new(),
            values: Vec::new(),
            bounds: Vec::new(),
            table: HashTable::new(),
            outcomes: HashMap::default(),
            spans: Vec::new(),
            joints: HashMap::default(),
        }
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.states.clear();
        self.values.clear();
        self.bounds.clear();
        self.table.clear();
        self.outcomes.clear();
        self.spans.clear();
        self.joints.clear();
    }

    pub(super) fn roles(&self) -> usize {
        self.roles
    }

    /// The size of the nodes and edges in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * self.node_bytes()
            + self.edges.len() * size_of::<Edge>()
            + self.joints.len() * JOINT_BYTES
            + self.spans.len() * size_of::<u32>()
    }

    /// The size of a node without its edges in bytes, with its share of the table of states.
    pub(super) fn node_bytes(&self) -> usize {
        let value = size_of::<f32>() + size_of::<[u8; 2]>();
        size_of::<Node>() + 8 * self.words + value * self.roles + INDEX_BYTES
    }

    /// The words of a node's state.
    #[inline]
    pub(super) fn state(&self, node: NodeId) -> &[u64] {
        &self.states[node.index() * self.words..][..self.words]
    }

    /// The node of a state.
    pub(super) fn find(&self, state: &[u64]) -> Option<NodeId> {
        let same = |&node: &u32| self.state(NodeId(node)) == state;
        self.table.find(hash_of(state), same).copied().map(NodeId)
    }

    /// Adds a node without edges for a new state.
    pub(super) fn insert(&mut self, state: &[u64], greatest: &[u8]) -> NodeId {
        let node = self.push(state, greatest.iter().map(|&goal| [0, goal]));
        let (states, words) = (&self.states, self.words);
        self.table.insert_unique(hash_of(state), node.0, |&node| {
            hash_of(&states[node as usize * words..][..words])
        });
        node
    }

    /// Enters all states into the table anew.
    pub(super) fn index_states(&mut self) {
        self.table.clear();
        let (states, words) = (&self.states, self.words);
        let hash = |&node: &u32| hash_of(&states[node as usize * words..][..words]);
        for (node, entry) in (0..).zip(&self.nodes) {
            // Ends of games have no state of their own.
            if entry.count > 0 {
                self.table.insert_unique(hash(&node), node, hash);
            }
        }
    }

    fn push(&mut self, state: &[u64], bounds: impl Iterator<Item = [u8; 2]>) -> NodeId {
        let node = NodeId(self.nodes.len() as u32);
        make_room(&mut self.nodes, 1);
        make_room(&mut self.states, self.words);
        make_room(&mut self.bounds, self.roles);
        make_room(&mut self.values, self.roles);
        self.nodes.push(Node {
            visits: 0,
            first: self.edges.len() as u32,
            count: 0,
            opened: 0,
            decider: 0,
            is_closed: false,
        });
        self.states.extend_from_slice(state);
        self.bounds.extend(bounds);
        self.values.resize(self.bounds.len(), 0.5);
        node
    }

    /// The node of the ends of games with these goals.
    pub(super) fn outcome(&mut self, goals: &[i32]) -> NodeId {
        if let Some(&node) = self.outcomes.get(goals) {
            return node;
        }
        let state = vec![0; self.words];
        let bounds = goals.iter().map(|&goal| [goal.clamp(0, 100) as u8; 2]);
        let node = self.push(&state, bounds);
        self.nodes[node.index()].is_closed = true;
        let values = goals.iter().map(|&goal| goal as f32 / 100.0);
        self.set_values(node, values);
        self.outcomes.insert(goals.into(), node);
        node
    }

    /// The first value of a node for every role.
    #[inline]
    pub(super) fn values(&self, node: NodeId) -> &[f32] {
        &self.values[node.index() * self.roles..][..self.roles]
    }

    #[inline]
    pub(super) fn set_values(&mut self, node: NodeId, values: impl Iterator<Item = f32>) {
        let own = &mut self.values[node.index() * self.roles..][..self.roles];
        own.iter_mut()
            .zip(values)
            .for_each(|(own, value)| *own = value);
    }

    /// Multiplies the odds of a node's first value, and those of its moves' values, by
    /// these factors, one per role.
    pub(super) fn multiply_odds(&mut self, node: NodeId, factors: &[f32]) {
        let own = &mut self.values[node.index() * self.roles..][..self.roles];
        for (own, factor) in own.iter_mut().zip(factors) {
            *own = with_odds_multiplied(*own, *factor);
        }
        for (role, &factor) in factors.iter().enumerate() {
            let span = self.span(node, role);
            for edge in &mut self.edges[span] {
                if edge.visits <= 1 && edge.pending == 0 && !edge.is_closed {
                    edge.mean = with_odds_multiplied(edge.mean, factor);
                }
            }
        }
    }

    /// What each role can reach from a node.
    #[inline]
    pub(super) fn bounds(&self, node: NodeId) -> &[[u8; 2]] {
        &self.bounds[node.index() * self.roles..][..self.roles]
    }

    /// The value of a node for a role, as far as its bounds allow it.
    #[inline]
    pub(super) fn value_within_bounds(&self, node: NodeId, role: Role) -> f32 {
        let [low, high] = self.bounds(node)[role];
        self.values(node)[role].clamp(f32::from(low) / 100.0, f32::from(high) / 100.0)
    }

    /// Gives a new node edges of the role that decides where it leads, in descending order of
    /// their priors.
    pub(super) fn expand_one(
        &mut self,
        node: NodeId,
        role: Role,
        edges: impl Iterator<Item = Edge>,
    ) {
        let entry = &mut self.nodes[node.index()];
        entry.first = self.edges.len() as u32;
        entry.decider = role as u8;
        make_room(&mut self.edges, edges.size_hint().0);
        self.edges.extend(edges);
        entry.count = self.edges.len() as u32 - entry.first;
    }

    /// Gives a new node edges of every role.
    pub(super) fn expand_several(&mut self, node: NodeId, roles: &[Vec<Edge>]) {
        let entry = &mut self.nodes[node.index()];
        entry.opened = self.spans.len() as u32;
        self.spans
            .extend(roles.iter().map(|edges| edges.len() as u32));
        entry.first = self.edges.len() as u32;
        entry.decider = SEVERAL;
        make_room(&mut self.edges, roles.iter().map(Vec::len).sum());
        self.edges.extend(roles.iter().flatten());
        entry.count = self.edges.len() as u32 - entry.first;
    }

    /// The role that decides where a node leads; `None` if several do.
    #[inline]
    pub(super) fn decider(&self, node: NodeId) -> Option<Role> {
        let decider = self.nodes[node.index()].decider;
        (decider != SEVERAL).then_some(decider as usize)
    }

    /// The indices of all edges of a node.
    pub(super) fn all_edges(&self, node: NodeId) -> Range<usize> {
        let entry = &self.nodes[node.index()];
        entry.first as usize..(entry.first + entry.count) as usize
    }

    /// The indices of a role's edges; empty if only another role decides.
    #[inline]
    pub(super) fn span(&self, node: NodeId, role: Role) -> Range<usize> {
        let entry = &self.nodes[node.index()];
        let first = entry.first as usize;
        if entry.decider != SEVERAL {
            let own = entry.decider as usize == role;
            return first..first + if own { entry.count as usize } else { 0 };
        }
        let counts = &self.counts(entry);
        let start = first + counts[..role].iter().sum::<u32>() as usize;
        start..start + counts[role] as usize
    }

    /// The number of edges of each role, where several decide.
    #[inline]
    fn counts(&self, entry: &Node) -> &[u32] {
        &self.spans[entry.opened as usize..][..self.roles]
    }

    /// The number of a joint move, given by one edge per role: the moves of the last role change
    /// fastest.
    #[inline]
    fn joint_number(&self, node: NodeId, joint: &[u32]) -> u64 {
        let entry = &self.nodes[node.index()];
        let (mut start, mut number) = (entry.first, 0_u64);
        for (&edge, &count) in joint.iter().zip(self.counts(entry)) {
            let digit = u64::from(edge - start);
            number = number.wrapping_mul(count.into()).wrapping_add(digit);
            start += count;
        }
        number
    }

    /// The node that a joint move of several roles leads to, by its number.
    #[inline]
    pub(super) fn joint_child(&self, node: NodeId, number: u64) -> Option<NodeId> {
        self.joints.get(&(node, number)).copied()
    }

    /// The node that a joint move leads to: the edge of the role that decides, or one
    /// edge per role.
    #[inline]
    pub(super) fn child(&self, node: NodeId, joint: &[u32]) -> Option<NodeId> {
        match joint {
            [edge] => self.edges[*edge as usize].child(),
            _ => self.joint_child(node, self.joint_number(node, joint)),
        }
    }

    /// The first edge of the node that a joint move leads to.
    #[inline]
    pub(super) fn first_edge(&self, joint: &[u32], child: NodeId) -> u32 {
        match joint {
            [edge] => self.edges[*edge as usize].child_first,
            _ => self.nodes[child.index()].first,
        }
    }

    /// Records where a joint move leads.
    pub(super) fn link(&mut self, node: NodeId, joint: &[u32], child: NodeId) {
        match joint {
            [edge] => {
                let edge = &mut self.edges[*edge as usize];
                edge.child = child.0;
                edge.child_first = self.nodes[child.index()].first;
            }
            _ => {
                let key = (node, self.joint_number(node, joint));
                self.joints.insert(key, child);
            }
        }
    }
}

/// The value whose odds are those of this value times a factor.
#[inline]
fn with_odds_multiplied(value: f32, factor: f32) -> f32 {
    let odds = value * factor;
    odds / (1.0 - value + odds)
}

/// Makes room for more entries: an eighth more than there are, where twice as many would soon be
/// more than the memory allows.
fn make_room<T>(table: &mut Vec<T>, entries: usize) {
    if table.capacity() - table.len() < entries {
        table.reserve_exact(entries.max(LEAST_GROWTH).max(table.len() / 8));
    }
}
