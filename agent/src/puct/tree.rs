//! The search graph: nodes by state, all of them expanded.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use gdl_runtime::engine::{Move, Role};
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

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
const NO_NODE: u32 = u32::MAX;

/// Marks a node where several roles decide.
const SEVERAL: u8 = u8::MAX;

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
    /// first ones, since edges are in the order of their priors.
    pub(super) opened: u32,
    /// The role that decides, or `SEVERAL`.
    decider: u8,
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
    /// The first edge of that node: it is kept here too so that the processor need not wait
    /// for the node before it asks the memory for its edges.
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
}

/// The graph.
#[derive(Debug)]
pub(super) struct PuctTree {
    roles: usize,
    words: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    states: Vec<u64>,
    /// For each node and role, the first value of the node.
    values: Vec<f32>,
    /// For each node and role, the least and the greatest goal value to be reached.
    pub(super) bounds: Vec<[u8; 2]>,
    /// Nodes by state.
    table: HashTable<u32>,
    /// Nodes at the ends of games, by their goals.
    outcomes: HashMap<Box<[i32]>, NodeId, FxBuildHasher>,
    /// For nodes where several roles decide, the number of moves of each.
    spans: HashMap<NodeId, Box<[u32]>, FxBuildHasher>,
    /// Successors of nodes where several roles decide, by joint move.
    joints: HashMap<(NodeId, u64), NodeId, FxBuildHasher>,
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
            spans: HashMap::default(),
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
        let node = size_of::<Node>() + 8 * self.words + 6 * self.roles + 6;
        self.nodes.len() * node
            + self.edges.len() * size_of::<Edge>()
            + self.joints.len() * 24
            + self.spans.len() * (24 + 4 * self.roles)
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

    fn push(&mut self, state: &[u64], bounds: impl Iterator<Item = [u8; 2]>) -> NodeId {
        let node = NodeId(self.nodes.len() as u32);
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
        self.edges.extend(edges);
        entry.count = self.edges.len() as u32 - entry.first;
    }

    /// Gives a new node edges of every role.
    pub(super) fn expand_several(&mut self, node: NodeId, roles: &[Vec<Edge>]) {
        let spans = roles.iter().map(|edges| edges.len() as u32).collect();
        self.spans.insert(node, spans);
        let entry = &mut self.nodes[node.index()];
        entry.first = self.edges.len() as u32;
        entry.decider = SEVERAL;
        self.edges.extend(roles.iter().flatten());
        entry.count = self.edges.len() as u32 - entry.first;
    }

    /// The role that decides where a node leads; `None` if several do.
    #[inline]
    pub(super) fn decider(&self, node: NodeId) -> Option<Role> {
        let decider = self.nodes[node.index()].decider;
        (decider != SEVERAL).then_some(decider as usize)
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
        let counts = &self.spans[&node];
        let start = first + counts[..role].iter().sum::<u32>() as usize;
        start..start + counts[role] as usize
    }

    /// The number of a joint move, given by one edge per role.
    fn joint_number(&self, node: NodeId, joint: &[u32]) -> u64 {
        let digits = joint.iter().enumerate().map(|(role, &edge)| {
            let span = self.span(node, role);
            (span.len() as u64, u64::from(edge) - span.start as u64)
        });
        digits.fold(0, |number, (base, digit)| {
            number.wrapping_mul(base).wrapping_add(digit)
        })
    }

    /// The node that a joint move leads to: the edge of the role that decides, or one
    /// edge per role.
    #[inline]
    pub(super) fn child(&self, node: NodeId, joint: &[u32]) -> Option<NodeId> {
        match joint {
            [edge] => self.edges[*edge as usize].child(),
            _ => {
                let key = (node, self.joint_number(node, joint));
                self.joints.get(&key).copied()
            }
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

    /// Keeps what a node can reach through nodes with at least this number of visits,
    /// and renumbers all of it. Returns the node's new number.
    pub(super) fn keep(&mut self, root: NodeId, visits: u32) -> NodeId {
        let mut kept = Self::new(self.roles, self.words);
        let mut numbers = vec![NO_NODE; self.nodes.len()];
        let mut queue = vec![root];
        let root = kept.copy(self, root, &mut numbers);
        while let Some(old) = queue.pop() {
            let new = NodeId(numbers[old.index()]);
            let entry = self.nodes[old.index()];
            let edges = entry.first as usize..(entry.first + entry.count) as usize;
            let mut visit = |child: NodeId, kept: &mut Self| {
                let number = numbers[child.index()];
                let stays = || {
                    let child = &self.nodes[child.index()];
                    child.is_closed || child.visits >= visits
                };
                if number != NO_NODE {
                    return Some(NodeId(number));
                }
                stays().then(|| {
                    queue.push(child);
                    kept.copy(self, child, &mut numbers)
                })
            };
            for (offset, edge) in self.edges[edges].iter().enumerate() {
                if let Some(child) = edge.child() {
                    let to = visit(child, &mut kept);
                    let at = kept.nodes[new.index()].first as usize + offset;
                    let first = to.map_or(0, |to| kept.nodes[to.index()].first);
                    kept.edges[at].child = to.map_or(NO_NODE, |to| to.0);
                    kept.edges[at].child_first = first;
                }
            }
            if entry.decider == SEVERAL && entry.count > 0 {
                let joints = self.spans[&old].iter().map(|&count| u64::from(count));
                for number in 0..joints.product::<u64>().min(1 << 16) {
                    if let Some(&child) = self.joints.get(&(old, number))
                        && let Some(to) = visit(child, &mut kept)
                    {
                        kept.joints.insert((new, number), to);
                    }
                }
            }
        }
        *self = kept;
        root
    }

    /// Copies a node of another tree with its edges.
    fn copy(&mut self, from: &Self, node: NodeId, numbers: &mut [u32]) -> NodeId {
        let goals: Vec<i32> = from.bounds(node).iter().map(|b| i32::from(b[0])).collect();
        let entry = from.nodes[node.index()];
        let new = if entry.count == 0 && entry.is_closed {
            self.outcome(&goals)
        } else {
            let greatest = vec![100; self.roles];
            let new = self.insert(from.state(node), &greatest);
            let at = new.index() * self.roles;
            self.bounds[at..at + self.roles].copy_from_slice(from.bounds(node));
            self.set_values(new, from.values(node).iter().copied());
            let edges = entry.first as usize..(entry.first + entry.count) as usize;
            self.nodes[new.index()] = Node {
                first: self.edges.len() as u32,
                ..entry
            };
            self.edges.extend_from_slice(&from.edges[edges]);
            if let Some(spans) = from.spans.get(&node) {
                self.spans.insert(new, spans.clone());
            }
            new
        };
        numbers[node.index()] = new.0;
        new
    }
}

/// The value whose odds are those of this value times a factor.
#[inline]
fn with_odds_multiplied(value: f32, factor: f32) -> f32 {
    let odds = value * factor;
    odds / (1.0 - value + odds)
}

fn hash_of(state: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    state.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
