//! A move of one role at one node: its statistics, and what a descent needs of them.
//!
//! A descent reads all moves of every node on its path and counts itself along one of
//! them; the rest changes only when its result is known. What a descent touches is
//! therefore stored separately, compact and ready to use, as a search mostly waits for
//! memory.

use gdl_runtime::engine::Move;

use crate::tree::node::TreeNodeId;

/// What is proven about an edge, for the role that moves along it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolvedStatus {
    /// Nothing.
    #[default]
    Open,
    /// Its value is exact.
    Proven,
    /// Another edge is at least as good whatever happens.
    Pruned,
}

/// A move with its statistics.
#[derive(Debug, Clone, Copy)]
pub struct MoveEdge {
    /// The sum of the returns of all finished simulations along this edge.
    pub sum: f64,
    /// The number of finished simulations along this edge.
    pub visits: u32,
    /// The move.
    pub mv: Move,
    /// What is proven.
    pub status: SolvedStatus,
}

impl MoveEdge {
    pub(crate) fn new(mv: Move) -> Self {
        Self {
            sum: 0.0,
            visits: 0,
            mv,
            status: SolvedStatus::Open,
        }
    }

    /// The average return, 0 to 100; 0 if no simulation has finished.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// Adds the statistics of the same move in another tree. What is proven in either
    /// tree replaces averages.
    pub(crate) fn add(&mut self, other: &Self) {
        match (self.status, other.status) {
            (SolvedStatus::Open, SolvedStatus::Open) => {
                self.sum += other.sum;
                self.visits += other.visits;
            }
            (SolvedStatus::Open, _) => *self = *other,
            _ => {}
        }
    }
}

/// The spread of an edge never tried: above all others whatever its weight, but
/// finite, since a pruned edge would otherwise score NaN.
const UNTRIED: f32 = 1e30;

/// What a descent reads and changes of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeScore {
    /// The average return; minus infinity for a pruned edge.
    pub mean: f32,
    /// 1/sqrt(n) of the n `tries`; 1e30 if there is none, so that such an edge
    /// comes first.
    pub spread: f32,
    /// Simulations along the edge, those in flight included.
    pub tries: u32,
    /// The node it leads to, if the role is the node's [`Mover::One`].
    ///
    /// [`Mover::One`]: crate::tree::Mover::One
    pub(crate) child: Option<TreeNodeId>,
}

impl EdgeScore {
    /// The score of an edge never tried.
    pub(crate) fn new() -> Self {
        Self {
            mean: 0.0,
            spread: UNTRIED,
            tries: 0,
            child: None,
        }
    }

    /// Sets the number of simulations along the edge.
    #[inline]
    pub(crate) fn set_tries(&mut self, tries: u32) {
        self.tries = tries;
        self.spread = match tries {
            0 => UNTRIED,
            _ => (tries as f32).sqrt().recip(),
        };
    }

    /// Copies the edge's current average.
    #[inline]
    pub(crate) fn set_mean(&mut self, edge: &MoveEdge) {
        self.mean = match edge.status {
            SolvedStatus::Pruned => f32::NEG_INFINITY,
            SolvedStatus::Open | SolvedStatus::Proven => edge.mean() as f32,
        };
    }
}
