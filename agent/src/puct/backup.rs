//! Backup: the value of a leaf enters the statistics and bounds of the path to it.

use super::bounds::GoalModel;
use super::selection::PuctPath;
use super::tree::{NodeId, PuctTree};
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
