//! Backup: the value of a leaf enters the statistics and bounds of the path to it.

use gdl_runtime::engine::Role;

use super::bounds::GoalModel;
use super::selection::PuctPath;
use super::tree::{Edge, NodeId, PuctTree};
use crate::learning::network::MAX_HEADS;

impl PuctTree {
    /// Enters the value of a node into the statistics along the path that led to it, and
    /// what is proven of it into the bounds.
    pub(super) fn back_up(&mut self, path: &PuctPath, end: NodeId, goals: &GoalModel) {
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
            let prefers = |role: &Role| !goals.has_constant_sum && goals.has_preferences(*role);
            match self.decider(node).filter(prefers) {
                Some(role) => self.prefer_known(node, role, joint[0], &mut values),
                None => self.clamp(node, &mut values),
            }
            child = node;
        }
    }

    /// Whether more is known of a node than the game's least and greatest goals.
    #[inline]
    fn has_news(&self, node: NodeId) -> bool {
        self.nodes[node.index()].is_closed
            || self.bounds(node).iter().any(|bounds| *bounds != [0, 100])
    }

    /// Replaces the values of a descent that made this move of a node by those of a move that is
    /// known to give the role that decides more than this one has been worth so far. To limit
    /// the values of each descent instead would make a move that wins one time in four worth
    /// more than a certain draw.
    #[inline]
    fn prefer_known(&self, node: NodeId, role: Role, made: u32, values: &mut [f32]) {
        let least = self.bounds(node)[role][0];
        let made = &self.edges[made as usize];
        if made.mean >= f32::from(least) / 100.0 {
            return;
        }
        let gives_it = |child: &NodeId| self.bounds(*child)[role][0] >= least;
        if made.child().is_some_and(|child| gives_it(&child)) {
            return;
        }
        let edges = &self.edges[self.span(node, role)];
        if let Some(known) = edges.iter().filter_map(Edge::child).find(gives_it) {
            for (who, value) in values[..self.roles()].iter_mut().enumerate() {
                *value = self.value_within_bounds(known, who);
            }
        }
    }

    /// Limits values to the bounds of a node.
    #[inline]
    pub(super) fn clamp(&self, node: NodeId, values: &mut [f32]) {
        for (value, &[low, high]) in values.iter_mut().zip(self.bounds(node)) {
            // Most nodes are unknown, and divisions take their time.
            if [low, high] == [0, 100] {
                continue;
            }
            *value = value.clamp(f32::from(low) / 100.0, f32::from(high) / 100.0);
        }
    }
}
