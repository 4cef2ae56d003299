//! How the end of a simulation is credited to the nodes it came through.

use crate::flight::Path;
use crate::tree::Tree;

/// Averages of goal values, optionally discounted.
#[derive(Debug, Clone, Copy)]
pub struct Backup {
    /// What a goal value loses a step: a node `k` moves before the end is
    /// credited goal · discount^k. 1 keeps values as they are; slightly less
    /// makes the agent prefer early success and late failure.
    pub discount: f64,
}

impl Default for Backup {
    fn default() -> Self {
        Self { discount: 1.0 }
    }
}

impl Backup {
    /// Credits every step of a path that goes on for `beyond` moves outside
    /// the tree and then ends with `goals`. `returns` is scratch space.
    pub(crate) fn apply(
        self,
        tree: &mut Tree,
        path: &Path,
        beyond: u64,
        goals: &[i32],
        returns: &mut Vec<f64>,
    ) {
        let factor = if self.discount == 1.0 {
            1.0
        } else {
            self.discount.powf(beyond as f64)
        };
        returns.clear();
        returns.extend(goals.iter().map(|&goal| f64::from(goal) * factor));
        for (node, joint) in path.steps().rev() {
            if self.discount != 1.0 {
                returns.iter_mut().for_each(|value| *value *= self.discount);
            }
            tree.credit(node, joint, returns);
        }
        if let Some(leaf) = path.leaf() {
            tree.count_visit(leaf);
        }
    }
}
