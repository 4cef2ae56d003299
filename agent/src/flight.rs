//! Simulations on their way: a flight is the lanes that go one way through the
//! tree and play on from its end, each a simulation.

use crate::episode::{Sequels, number};
use crate::lane_set::LaneSet;
use crate::playout::Observed;
use crate::tree::{NodeId, Tree};

/// The way of a simulation through the tree: nodes, each with the edge that
/// every role took.
#[derive(Debug, Default, Clone)]
pub struct Path {
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
        // Mostly two numbers: too few for a call that copies memory.
        self.edges.extend(joint.iter().copied());
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

    /// Node and joint move (an edge of every role) of every step, from the root.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (NodeId, &[u32])> + ExactSizeIterator {
        let joints = self.edges.chunks_exact(self.roles);
        self.nodes.iter().copied().zip(joints)
    }
}

/// What the lanes of a flight hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing: there is no flight.
    Free,
    /// A node from which a move is to be made: the last of the path, with its
    /// joint move, or the path's leaf, whose moves have yet to be read.
    Departing,
    /// The position after the path's last move: perhaps a new node.
    Arriving,
    /// Positions outside the tree, since a step of the machine.
    Playing { since: u64 },
}

/// What happened inside the tree, as an [`Episode`](crate::episode::Episode) tells
/// it: the same for all simulations of a flight.
#[derive(Debug, Default, Clone)]
pub(crate) struct Trail {
    pub(crate) moves: Vec<u32>,
    pub(crate) states: Vec<u64>,
}

impl Trail {
    /// Follows a path, as far as somebody wants to see it.
    pub(crate) fn follow(&mut self, tree: &Tree, path: &Path, observed: Observed) {
        self.moves.clear();
        self.states.clear();
        for (node, joint) in path.steps() {
            for (role, &edge) in joint.iter().enumerate() {
                let alone = tree.span(node, role).len() == 1;
                self.moves.push(number(tree.edge(edge).mv, alone));
            }
            if observed == Observed::States {
                self.states.extend_from_slice(tree.state(node));
            }
        }
    }
}

/// Simulations that share a path.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) phase: Phase,
    /// Whose they are.
    pub(crate) mind: usize,
    /// Whether it is a game sampled for the cutoff, from the initial state.
    pub(crate) sampled: bool,
    pub(crate) path: Path,
    /// Of flights that play outside the tree, if a part learns from them.
    pub(crate) trail: Trail,
    /// What those that have ended did outside the tree, if the selection learns
    /// from it.
    pub(crate) sequels: Sequels,
    /// How many simulations there are.
    pub(crate) simulations: u32,
    /// The lanes of those that have not ended.
    pub(crate) lanes: LaneSet,
    /// How many those are.
    pub(crate) left: u32,
    /// For every role, the returns of those that have ended.
    pub(crate) returns: Vec<f64>,
    /// Moves made outside the tree by those that have ended.
    pub(crate) beyond: u64,
}

impl Flight {
    pub(crate) fn new(roles: usize, lanes: usize) -> Self {
        Self {
            phase: Phase::Free,
            mind: 0,
            sampled: false,
            path: Path::new(roles),
            trail: Trail::default(),
            sequels: Sequels::default(),
            simulations: 0,
            lanes: LaneSet::new(lanes),
            left: 0,
            returns: vec![0.0; roles],
            beyond: 0,
        }
    }

    /// Begins with so many simulations of a mind, at no place and in no lane.
    pub(crate) fn begin(&mut self, mind: usize, simulations: u32) {
        self.mind = mind;
        self.sampled = false;
        self.path.clear();
        self.sequels.clear();
        self.simulations = simulations;
        self.left = 0;
        self.returns.fill(0.0);
        self.beyond = 0;
    }

    /// Any lane of those that have not ended: as long as the flight is in the
    /// tree, all are in the same state.
    pub(crate) fn lane(&self) -> usize {
        self.lanes.iter().next().unwrap_or(0)
    }

    /// Moves made outside the tree by simulations that have not ended.
    pub(crate) fn moves_since(&self, step: u64) -> u64 {
        match self.phase {
            Phase::Playing { since } => step - since,
            _ => 0,
        }
    }

    /// Takes note that the simulation in a lane has ended. True if it was the
    /// last one.
    pub(crate) fn end(&mut self, lane: usize, beyond: u64) -> bool {
        self.lanes.remove(lane);
        self.left -= 1;
        self.beyond += beyond;
        self.left == 0
    }
}
