//! Paths of simulations through the tree.

use super::node::TreeNodeId;

/// The path of a simulation through the tree: nodes, each with one edge per role.
#[derive(Debug, Default, Clone)]
pub struct SearchPath {
    roles: usize,
    nodes: Vec<TreeNodeId>,
    edges: Vec<u32>,
    leaf: Option<TreeNodeId>,
}

impl SearchPath {
    pub(crate) fn new(roles: usize) -> Self {
        Self {
            roles,
            ..Self::default()
        }
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.leaf = None;
    }

    pub(crate) fn push(&mut self, node: TreeNodeId, joint: &[u32]) {
        self.nodes.push(node);
        // Mostly two numbers: too few for a call that copies memory.
        self.edges.extend(joint.iter().copied());
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node at which the simulation left the tree, if that node is in the tree.
    pub(crate) fn leaf(&self) -> Option<TreeNodeId> {
        self.leaf
    }

    pub(crate) fn end_at(&mut self, leaf: TreeNodeId) {
        self.leaf = Some(leaf);
    }

    /// Lets the path go on from its leaf, whose moves are known now.
    pub(crate) fn reopen(&mut self) {
        self.leaf = None;
    }

    /// The last step.
    pub(crate) fn last(&self) -> Option<(TreeNodeId, &[u32])> {
        self.steps().next_back()
    }

    /// The nodes of the steps, from the root.
    #[must_use]
    pub fn nodes(&self) -> &[TreeNodeId] {
        &self.nodes
    }

    /// The node and joint move (an edge of every role) of every step, from the root.
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = (TreeNodeId, &[u32])> + ExactSizeIterator + Clone {
        let joints = self.edges.chunks_exact(self.roles);
        self.nodes.iter().copied().zip(joints)
    }
}
