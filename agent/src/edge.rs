//! A move of one role at one node: its statistics, and what selection reads of
//! them.
//!
//! Every simulation looks at all moves of every node that it passes, but
//! changes one a role: so what is looked at lies apart, small and ready to use,
//! and is kept up to date by whoever changes the rest.

use runtime::engine::Move;

use crate::tree::NodeId;

/// What is proven about an edge, for the role that moves along it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
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
pub struct Edge {
    /// The returns of all finished simulations along this edge.
    pub sum: f64,
    /// How many simulations finished along this edge.
    pub visits: u32,
    /// The move.
    pub mv: Move,
    /// Simulations along this edge that are still in flight.
    pub pending: u16,
    /// What is proven.
    pub standing: Standing,
}

impl Edge {
    pub(crate) fn new(mv: Move) -> Self {
        Self {
            sum: 0.0,
            visits: 0,
            mv,
            pending: 0,
            standing: Standing::Open,
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
        match (self.standing, other.standing) {
            (Standing::Open, Standing::Open) => {
                self.sum += other.sum;
                self.visits += other.visits;
            }
            (Standing::Open, _) => *self = *other,
            _ => {}
        }
    }

    /// Simulations along this edge, those in flight included.
    #[must_use]
    pub fn tries(&self) -> u32 {
        self.visits + u32::from(self.pending)
    }

    /// What selection reads of an edge that leads to `child`.
    pub(crate) fn score(&self, child: Option<NodeId>) -> Score {
        let tries = self.tries();
        Score {
            mean: if self.standing == Standing::Pruned {
                f32::NEG_INFINITY
            } else {
                self.mean() as f32
            },
            // Never infinite: a pruned edge would have no score at all then.
            spread: if tries == 0 {
                UNTRIED
            } else {
                (tries as f32).sqrt().recip()
            },
            child,
        }
    }
}

/// The spread of an edge never tried: above all scores, whatever the weight.
const UNTRIED: f32 = 1e30;

/// What a descent reads of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The average return; minus infinity for a pruned edge.
    pub mean: f32,
    /// 1/sqrt(n) of the n simulations along the edge, those in flight included;
    /// 1e30 if there is none, so that such an edge comes first.
    pub spread: f32,
    /// Where it leads, if the role is the node's [`Mover::One`].
    ///
    /// [`Mover::One`]: crate::tree::Mover::One
    pub(crate) child: Option<NodeId>,
}
