//! Returns as they are credited, for components that keep statistics of their own.

use crate::tree::node::TreeNodeId;
use crate::tree::path::SearchPath;

/// The simulations of a batch that have ended.
#[derive(Debug, Clone, Copy)]
pub struct Credit<'a> {
    /// Their path through the tree.
    pub path: &'a SearchPath,
    /// Their number.
    pub simulations: u32,
    /// The sum of their returns for each role, as of the end of the path.
    pub returns: &'a [f64],
    /// What remains of a return with every move before the end.
    pub discount: f64,
}

impl Credit<'_> {
    /// Calls `visit` for every step from the end of the path to the root: the node, the
    /// joint move, and for each role the average return as of there.
    pub fn for_each(&self, mut visit: impl FnMut(TreeNodeId, &[u32], &[f64])) {
        let simulations = f64::from(self.simulations);
        let means = self.returns.iter().map(|sum| sum / simulations);
        let mut means: Vec<f64> = means.collect();
        for (node, joint) in self.path.steps().rev() {
            means.iter_mut().for_each(|mean| *mean *= self.discount);
            visit(node, joint, &means);
        }
    }
}
