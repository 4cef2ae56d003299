//! Selection: PUCT, from the root to a joint move whose successor is not known.

use gdl_runtime::engine::Role;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::bounds::GoalModel;
use super::tree::{Edge, NodeId, PuctTree};

/// Nodes and joint moves from the root on: one edge where one role decides, one per role
/// elsewhere.
#[derive(Debug, Clone, Default)]
pub(super) struct PuctPath {
    nodes: Vec<NodeId>,
    edges: Vec<u32>,
    ends: Vec<u32>,
}

impl PuctPath {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.ends.clear();
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn push(&mut self, node: NodeId, joint: &[u32]) {
        self.nodes.push(node);
        self.edges.extend_from_slice(joint);
        self.ends.push(self.edges.len() as u32);
    }

    /// The node and joint move of a step.
    #[inline]
    pub(super) fn step(&self, index: usize) -> (NodeId, &[u32]) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let joint = &self.edges[start as usize..self.ends[index] as usize];
        (self.nodes[index], joint)
    }
}

/// How descents choose among moves.
#[derive(Debug)]
pub(super) struct PuctRule {
    /// The weight of exploration, in values from 0 to 1.
    exploration: f32,
    random: Xoshiro256PlusPlus,
}

impl PuctRule {
    pub(super) fn new(exploration: f32) -> Self {
        Self {
            exploration,
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// The weight of a prior in a node with this number of visits.
    #[inline]
    fn weight(&self, visits: u32) -> f32 {
        self.exploration * (visits as f32 + 1.0).sqrt()
    }
}

/// Where a descent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DescentEnd {
    /// After the last joint move of its path, whose successor is not known.
    Leaf,
    /// At a node whose value is taken as it is: it is closed, or on the path already.
    Known(NodeId),
    /// At a joint move that another descent is about to make known.
    Busy,
}

impl PuctTree {
    /// Follows the best moves from a node, and counts the descent along its path.
    pub(super) fn descend(
        &mut self,
        root: NodeId,
        rule: &mut PuctRule,
        goals: &GoalModel,
        path: &mut PuctPath,
        joint: &mut Vec<u32>,
    ) -> DescentEnd {
        path.clear();
        let mut node = root;
        // A path that comes back leads to a node with a lower number than some other one.
        let mut highest = root;
        let mut first = self.nodes[root.index()].first;
        loop {
            self.select(node, first, rule, goals, joint);
            if joint.is_empty() {
                return DescentEnd::Known(node);
            }
            self.nodes[node.index()].visits += 1;
            let mut busy = false;
            for &edge in &*joint {
                let edge = &mut self.edges[edge as usize];
                busy |= edge.pending > 0;
                edge.pending += 1;
            }
            path.push(node, joint);
            match self.child(node, joint) {
                None if busy && joint.len() == 1 => return DescentEnd::Busy,
                None => return DescentEnd::Leaf,
                Some(child) if self.nodes[child.index()].is_closed => {
                    return DescentEnd::Known(child);
                }
                Some(child) if child <= highest && path.nodes.contains(&child) => {
                    return DescentEnd::Known(child);
                }
                Some(child) => {
                    node = child;
                    highest = highest.max(child);
                    first = self.first_edge(joint, child);
                }
            }
        }
    }

    /// Takes back that a descent was counted along a path.
    pub(super) fn retract(&mut self, path: &PuctPath) {
        for index in 0..path.len() {
            let (node, joint) = path.step(index);
            self.nodes[node.index()].visits -= 1;
            for &edge in joint {
                self.edges[edge as usize].pending -= 1;
            }
        }
    }

    /// The best joint move of a node; empty if the role that decides has no open move. An
    /// indifferent role also makes closed ones.
    #[inline]
    fn select(
        &mut self,
        node: NodeId,
        first: u32,
        rule: &mut PuctRule,
        goals: &GoalModel,
        joint: &mut Vec<u32>,
    ) {
        joint.clear();
        match self.decider(node) {
            Some(role) if !goals.has_preferences(role) => {
                let entry = &mut self.nodes[node.index()];
                entry.opened = entry.count;
                joint.extend(self.least_visited(node, role));
            }
            Some(_) => joint.extend(self.best_edge(node, first, rule)),
            None => {
                for role in 0..self.roles() {
                    joint.extend(match goals.has_preferences(role) {
                        true => Some(self.best_of_role(node, role, rule)),
                        false => self.least_visited(node, role),
                    });
                }
            }
        }
    }

    /// The open edge with the highest value. An edge that was never selected is at best
    /// as good as the first one of them, since edges are in the order of their priors,
    /// and these in the order of first values.
    #[inline]
    fn best_edge(&mut self, node: NodeId, first: u32, rule: &PuctRule) -> Option<u32> {
        let entry = &mut self.nodes[node.index()];
        let first = first as usize;
        let edges = &self.edges[first..first + entry.count as usize];
        while edges
            .get(entry.opened as usize)
            .is_some_and(|edge| edge.is_closed)
        {
            entry.opened += 1;
        }
        let seen = (entry.opened as usize + 1).min(edges.len());
        let weight = rule.weight(entry.visits);
        // Which edge is best is unpredictable, so branches would cost more than the maximum of
        // these numbers.
        let mut best = 0;
        for (index, edge) in (0_u32..).zip(&edges[..seen]) {
            let score = u64::from(score_of_visited(edge, weight).to_bits());
            let key = score << 32 | u64::from(u32::MAX - index);
            best = best.max(key & u64::from(edge.is_closed).wrapping_sub(1));
        }
        if best == 0 {
            return None;
        }
        let best = (u32::MAX - best as u32) as usize;
        if best == entry.opened as usize {
            entry.opened += 1;
        }
        Some((first + best) as u32)
    }

    /// A role's edge that was visited least, closed or not: an indifferent role makes all of its
    /// moves equally often.
    fn least_visited(&self, node: NodeId, role: Role) -> Option<u32> {
        let visits = |&index: &usize| {
            let edge = &self.edges[index];
            edge.visits + u32::from(edge.pending)
        };
        let least = self.span(node, role).min_by_key(visits);
        least.map(|index| index as u32)
    }

    /// A role's edge with the highest value, where several roles decide. The weights of exploration
    /// are drawn at random: by the same rule with fixed weights, moves of several roles can come in
    /// step with each other, so that a move does not meet the others' moves as often as these are
    /// chosen.
    fn best_of_role(&self, node: NodeId, role: Role, rule: &mut PuctRule) -> u32 {
        let span = self.span(node, role);
        let weight = rule.weight(self.nodes[node.index()].visits);
        let mut best = span.start;
        let mut highest = f32::NEG_INFINITY;
        for index in span {
            let weight = weight * rule.random.random_range(0.0..2.0);
            let score = score(&self.edges[index], weight);
            if score > highest {
                (highest, best) = (score, index);
            }
        }
        best as u32
    }
}

/// The score of an edge: descents under way count as losses.
#[inline]
fn score(edge: &Edge, weight: f32) -> f32 {
    let visits = edge.visits as f32;
    let tries = visits + f32::from(edge.pending);
    let mean = match edge.pending {
        0 => edge.mean,
        _ => edge.mean * visits / tries,
    };
    mean + weight * edge.prior / (1.0 + tries)
}

/// The same for an edge that counts as visited at least once, with a single division.
#[inline]
fn score_of_visited(edge: &Edge, weight: f32) -> f32 {
    let tries = (edge.visits + u32::from(edge.pending)) as f32;
    let sum = edge.mean * edge.visits as f32;
    (sum * (1.0 + tries) + weight * edge.prior * tries) / (tries * (1.0 + tries))
}
