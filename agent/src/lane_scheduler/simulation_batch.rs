//! Simulation batches: lanes that share a path through the tree and play on from its
//! end, one simulation per lane.

use super::lane_set::LaneSet;
use crate::episode::{Continuations, number};
use crate::playout::Observed;
use crate::tree::SearchTree;
use crate::tree::path::SearchPath;

/// What the lanes of a batch hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BatchPhase {
    /// Nothing: the batch is not in use.
    Idle,
    /// A node from which a move of the tree is to be made: the last one of the path,
    /// with its joint move, or the path's leaf, whose moves have yet to be read.
    Selecting,
    /// The position after the path's last move, which may be a new node.
    Expanding,
    /// Positions outside the tree, since this step of the machine.
    Playout { since: u64 },
}

/// What happened inside the tree, in the form of an
/// [`Episode`](crate::episode::Episode): the same for all simulations of a batch.
#[derive(Debug, Default, Clone)]
pub(super) struct Trajectory {
    pub(super) moves: Vec<u32>,
    pub(super) states: Vec<u64>,
}

impl Trajectory {
    /// Follows a path, as far as it is observed.
    pub(super) fn follow(&mut self, tree: &SearchTree, path: &SearchPath, observed: Observed) {
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
pub(super) struct SimulationBatch {
    pub(super) phase: BatchPhase,
    /// The index of the searcher they belong to.
    pub(super) searcher: usize,
    /// Whether the cutoff samples it: it is a single simulation then, whose lane makes all
    /// moves from the root, so that goals can be read.
    pub(super) is_sample: bool,
    /// Whether its new node is in the tree, and the move that it makes there, the last one of
    /// its path, is the first move of its playout.
    pub(super) is_grown: bool,
    pub(super) path: SearchPath,
    /// Set while the batch plays outside the tree, if some component observes it.
    pub(super) trajectory: Trajectory,
    /// What ended simulations did outside the tree, if the selection rule learns from
    /// it.
    pub(super) continuations: Continuations,
    /// The number of simulations.
    pub(super) simulations: u32,
    /// The lanes of those that have not ended.
    pub(super) lanes: LaneSet,
    /// The number of those.
    pub(super) active: u32,
    /// The sum of returns of ended simulations, for each role.
    pub(super) returns: Vec<f64>,
    /// The number of moves ended simulations made outside the tree.
    pub(super) playout_steps: u64,
}

impl SimulationBatch {
    pub(super) fn new(roles: usize, lanes: usize) -> Self {
        Self {
            phase: BatchPhase::Idle,
            searcher: 0,
            is_sample: false,
            is_grown: false,
            path: SearchPath::new(roles),
            trajectory: Trajectory::default(),
            continuations: Continuations::default(),
            simulations: 0,
            lanes: LaneSet::new(lanes),
            active: 0,
            returns: vec![0.0; roles],
            playout_steps: 0,
        }
    }

    /// Starts over with simulations of a searcher, which have no lanes yet.
    pub(super) fn begin(&mut self, searcher: usize, simulations: u32) {
        self.searcher = searcher;
        self.is_sample = false;
        self.is_grown = false;
        self.path.clear();
        self.continuations.clear();
        self.simulations = simulations;
        self.active = 0;
        self.returns.fill(0.0);
        self.playout_steps = 0;
    }

    /// One of the lanes whose simulation has not ended. As long as the batch is in
    /// the tree, all of them are in the same state.
    pub(super) fn lane(&self) -> usize {
        self.lanes.iter().next().unwrap_or(0)
    }

    /// The number of moves made outside the tree, up to this step, by simulations
    /// that have not ended.
    pub(super) fn moves_since(&self, step: u64) -> u64 {
        match self.phase {
            BatchPhase::Playout { since } => step - since,
            _ => 0,
        }
    }

    /// Records that the simulation in a lane has ended after this many moves outside
    /// the tree. Returns whether it was the last one.
    pub(super) fn end(&mut self, lane: usize, playout_steps: u64) -> bool {
        self.lanes.remove(lane);
        self.active -= 1;
        self.playout_steps += playout_steps;
        self.active == 0
    }
}
