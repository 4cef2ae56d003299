//! A move of one role at one node: its statistics, and what a descent needs of
//! them.
//!
//! A descent looks at all moves of every node that it passes and counts itself
//! along one, long before its end is known and changes the rest: so what a descent
//! touches lies apart, small and ready to use. Memory far away is what a search
//! waits for most.

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
    /// The returns of all finished simulations along this edge.
    pub sum: f64,
    /// How many simulations finished along this edge.
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

    /// The average return, 0 where nothing finished.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// Adds what another tree knows of the same move. What is proven in one of
    /// them is, and outweighs averages.
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

/// The spread of an edge never tried: above all scores, whatever the weight, and
/// never infinite, since a pruned edge would have no score at all then.
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
    /// Where it leads, if the role is the node's [`Mover::One`].
    ///
    /// [`Mover::One`]: crate::tree::Mover::One
    pub(crate) child: Option<TreeNodeId>,
}

impl EdgeScore {
    /// That of an edge never tried, leading nowhere yet.
    pub(crate) fn new() -> Self {
        Self {
            mean: 0.0,
            spread: UNTRIED,
            tries: 0,
            child: None,
        }
    }

    /// Changes how many simulations went along the edge.
    #[inline]
    pub(crate) fn set_tries(&mut self, tries: u32) {
        self.tries = tries;
        self.spread = match tries {
            0 => UNTRIED,
            _ => (tries as f32).sqrt().recip(),
        };
    }

    /// Takes over what an edge's value is now.
    #[inline]
    pub(crate) fn set_mean(&mut self, edge: &MoveEdge) {
        self.mean = match edge.status {
            SolvedStatus::Pruned => f32::NEG_INFINITY,
            SolvedStatus::Open | SolvedStatus::Proven => edge.mean() as f32,
        };
    }
}
