//! Simulations on their way: what each lane is doing.

use crate::tree::NodeId;

/// The way of a simulation through the tree: nodes, each with the edge that
/// every role took.
#[derive(Debug, Default, Clone)]
pub(crate) struct Path {
    roles: usize,
    nodes: Vec<NodeId>,
    edges: Vec<u32>,
    leaf: Option<NodeId>,
}

impl Path {
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

    pub(crate) fn push(&mut self, node: NodeId, joint: &[u32]) {
        self.nodes.push(node);
        self.edges.extend_from_slice(joint);
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node at which the simulation left the tree, if it is in the tree.
    pub(crate) fn leaf(&self) -> Option<NodeId> {
        self.leaf
    }

    pub(crate) fn end_at(&mut self, leaf: NodeId) {
        self.leaf = Some(leaf);
    }

    /// The leaf's moves have been read: the path goes on from it.
    pub(crate) fn reopen(&mut self) {
        self.leaf = None;
    }

    /// The last step.
    pub(crate) fn last(&self) -> Option<(NodeId, &[u32])> {
        self.steps().next_back()
    }

    /// Node and joint move of every step, from the root.
    pub(crate) fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = (NodeId, &[u32])> + ExactSizeIterator {
        let joints = self.edges.chunks_exact(self.roles);
        self.nodes.iter().copied().zip(joints)
    }
}

/// What a lane holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing.
    Free,
    /// A node from which a move is to be made: the last of the path, with its
    /// joint move, or the path's leaf, whose moves have yet to be read.
    Departing,
    /// The position after the path's last move: perhaps a new node.
    Arriving,
    /// A position outside the tree, since a step of the machine.
    Playing { since: u64 },
}

/// A lane with its simulation.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) phase: Phase,
    pub(crate) path: Path,
}

impl Flight {
    pub(crate) fn new(roles: usize) -> Self {
        Self {
            phase: Phase::Free,
            path: Path::new(roles),
        }
    }
}
