//! What is proven of a node: for each role the least and the greatest goal value that it
//! can end up with, as long as every role prefers more to less (Cazenave and Saffidine,
//! "Score Bounded Monte-Carlo Tree Search", 2010, for any number of roles).
//!
//! - The role that decides reaches at least the highest lower bound of its successors,
//!   and at most the highest upper bound.
//! - If the goals of two roles always add up to 100, the other role's bounds follow.
//! - Otherwise the others' bounds span those of all successors that the role may choose, that is,
//!   all but those that are worse for it than another one in any case. A role with a move to its
//!   greatest goal is assumed to play the first one found, unless it gets that goal whatever it
//!   does: such a role, for instance a die, may make any of its moves.
//! - Where several roles decide, a role reaches at least what one of its moves gives it
//!   whatever the others do, and at most what the best joint move gives it.

use gdl_runtime::engine::Role;
use gdl_runtime::layout::Layout;

use super::tree::{Edge, NodeId, PuctTree};
use crate::learning::network::MAX_HEADS;

/// The largest number of joint moves that are looked at to bound one node.
const MOST_JOINTS: usize = 1024;

/// The difference, in values from 0 to 1, within which moves are equally good.
const TIED: f32 = 1e-3;

/// What is known about the goals of a game before a search.
#[derive(Debug, Clone)]
pub struct GoalModel {
    /// For each role, its greatest goal value.
    pub(super) greatest: Vec<u8>,
    /// For each role, whether its goal does not depend on how the game ends.
    is_indifferent: [bool; MAX_HEADS],
    /// Whether there are two roles whose goals always add up to 100.
    pub(super) has_constant_sum: bool,
}

impl GoalModel {
    /// What the layout of a game, of at most [`MAX_HEADS`] roles, says about them.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let greatest =
            |goals: &Vec<(i32, _)>| goals.last().map_or(0, |goal| goal.0.clamp(0, 100) as u8);
        let mut goals = Self::up_to(layout.goals.iter().map(greatest).collect());
        for (role, is_indifferent) in goals.is_indifferent.iter_mut().enumerate() {
            *is_indifferent = layout.constant_goal(role).is_some();
        }
        goals
    }

    /// A model in which only the greatest goal value of every role is known.
    #[must_use]
    pub fn up_to(greatest: Vec<u8>) -> Self {
        Self {
            greatest,
            is_indifferent: [false; MAX_HEADS],
            has_constant_sum: false,
        }
    }

    /// Whether a role prefers some ends of the game to others, as far as is known.
    #[inline]
    pub(super) fn has_preferences(&self, role: Role) -> bool {
        !self.is_indifferent[role]
    }
}

impl PuctTree {
    /// Computes a node's bounds from those of its successors, closes edges and the node.
    /// Returns whether the bounds have changed.
    pub(super) fn update_bounds(&mut self, node: NodeId, goals: &GoalModel) -> bool {
        let mut bounds = [[0, 0]; MAX_HEADS];
        match self.decider(node) {
            Some(role) => self.bounds_of_one(node, role, goals, &mut bounds),
            None => self.bounds_of_several(node, goals, &mut bounds),
        }
        let bounds = &bounds[..self.roles()];
        let first = node.index() * self.roles();
        let mut changed = false;
        for (own, new) in self.bounds[first..].iter_mut().zip(bounds) {
            let new = [own[0].max(new[0]), own[1].min(new[1])];
            // Bounds can cross only if the goals do not add up as they did so far.
            if new[0] <= new[1] && new != *own {
                *own = new;
                changed = true;
            }
        }
        self.close_edges(node, goals) || changed
    }

    fn bounds_of_one(
        &self,
        node: NodeId,
        role: Role,
        goals: &GoalModel,
        all: &mut [[u8; 2]; MAX_HEADS],
    ) {
        let all = &mut all[..self.roles()];
        let unknown = |who: usize| [0, goals.greatest[who]];
        let takes_first = goals.has_preferences(role) && !goals.has_constant_sum;
        let mut own = [0, 0];
        all.fill([u8::MAX, 0]);
        for edge in &self.edges[self.span(node, role)] {
            let child = edge.child();
            let bounds = |who: usize| child.map_or(unknown(who), |child| self.bounds(child)[who]);
            if takes_first && bounds(role)[0] >= goals.greatest[role] {
                let known = all.iter_mut().enumerate();
                return known.for_each(|(who, all)| *all = bounds(who));
            }
            own = [own[0].max(bounds(role)[0]), own[1].max(bounds(role)[1])];
        }
        if goals.has_constant_sum {
            all[role] = own;
            all[1 - role] = [100 - own[1].min(100), 100 - own[0].min(100)];
            return;
        }
        for edge in &self.edges[self.span(node, role)] {
            let child = edge.child();
            let bounds = |who: usize| child.map_or(unknown(who), |child| self.bounds(child)[who]);
            // A move that is worse than another in any case is not chosen.
            if bounds(role)[1] < own[0] {
                continue;
            }
            for (who, all) in all.iter_mut().enumerate() {
                *all = [all[0].min(bounds(who)[0]), all[1].max(bounds(who)[1])];
            }
        }
        all[role] = own;
    }

    fn bounds_of_several(&self, node: NodeId, goals: &GoalModel, all: &mut [[u8; 2]; MAX_HEADS]) {
        let roles = self.roles();
        let spans: Vec<_> = (0..roles).map(|role| self.span(node, role)).collect();
        let count = spans
            .iter()
            .try_fold(1_usize, |count, span| count.checked_mul(span.len()));
        let Some(count) = count.filter(|&count| count <= MOST_JOINTS) else {
            let unknown = all.iter_mut().zip(&goals.greatest);
            return unknown.for_each(|(all, &most)| *all = [0, most]);
        };
        // For each move of each role the least it gives, and for each role the most.
        let first = spans[0].start;
        let mut least = vec![u8::MAX; spans[roles - 1].end - first];
        let mut most = [0; MAX_HEADS];
        for number in 0..count {
            let child = self.joint_child(node, number as u64);
            let mut rest = number;
            for (role, span) in spans.iter().enumerate().rev() {
                let edge = span.start + rest % span.len();
                rest /= span.len();
                let [low, high] =
                    child.map_or([0, goals.greatest[role]], |child| self.bounds(child)[role]);
                let least = &mut least[edge - first];
                *least = low.min(*least);
                most[role] = high.max(most[role]);
            }
        }
        for (all, (span, most)) in all.iter_mut().zip(spans.iter().zip(most)) {
            let least = &least[span.start - first..span.end - first];
            *all = [least.iter().copied().max().unwrap_or(0), most];
        }
    }

    /// Closes the edges that need no more visits, and the node if none is open. Returns whether
    /// that is news about the node.
    fn close_edges(&mut self, node: NodeId, goals: &GoalModel) -> bool {
        let was_closed = self.nodes[node.index()].is_closed;
        let bounds = self.bounds(node);
        let mut is_closed = bounds.iter().all(|bounds| bounds[0] == bounds[1]);
        if let Some(role) = self.decider(node) {
            let least = bounds[role][0];
            let mut open = false;
            for index in self.span(node, role) {
                let Some(child) = self.edges[index].child() else {
                    open = true;
                    continue;
                };
                let [low, high] = self.bounds(child)[role];
                let is_known = self.nodes[child.index()].is_closed;
                let value = self.value_within_bounds(child, role);
                let edge = &mut self.edges[index];
                edge.is_closed |= is_known || (high <= least && goals.has_preferences(role));
                if is_known || low == high {
                    edge.mean = value;
                }
                open |= !edge.is_closed;
            }
            if !open && !is_closed {
                self.value_closed_node(node, role);
            }
            is_closed |= !open;
        }
        self.nodes[node.index()].is_closed |= is_closed;
        is_closed && !was_closed
    }

    /// Values a node, none of whose moves needs more visits although not all of its goals are
    /// proven: the role that decides makes one of the moves that are best for it, any of them,
    /// which may decide between the others.
    fn value_closed_node(&mut self, node: NodeId, role: Role) {
        let is_known = |edge: &&Edge| {
            let child = edge.child();
            child.is_some_and(|child| {
                let [low, high] = self.bounds(child)[role];
                low == high || self.nodes[child.index()].is_closed
            })
        };
        let moves = self.edges[self.span(node, role)].iter().filter(is_known);
        let highest = moves.clone().fold(0.0, |best, edge| edge.mean.max(best));
        let mut sums = [0.0; MAX_HEADS];
        let mut count = 0.0;
        for edge in moves.filter(|edge| edge.mean >= highest - TIED) {
            let Some(child) = edge.child() else { continue };
            count += 1.0;
            for (who, sum) in sums[..self.roles()].iter_mut().enumerate() {
                *sum += self.value_within_bounds(child, who);
            }
        }
        if count > 0.0 {
            self.set_values(node, sums.into_iter().map(|sum| sum / count));
        }
    }
}
