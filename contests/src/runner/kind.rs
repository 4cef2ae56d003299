//! The ways of playing the games of a contest, and which of them a contest needs.

use crate::budget::MoveBudget;
use gdl_network::host::PlayerSpec;
use serde::{Deserialize, Serialize};

/// How the games of a contest are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunnerKind {
    /// Many games side by side in the lanes of one machine, each search with one
    /// simulation in flight.
    #[serde(rename = "side_by_side")]
    Interleaved,
    /// Every game has a machine to itself, and its searches use all lanes.
    #[serde(rename = "one_by_one")]
    Dedicated,
    /// One match after another, by the clocks of a host.
    #[serde(rename = "hosted")]
    Hosted,
}

impl RunnerKind {
    /// How contenders play on a budget by default.
    ///
    /// A counted simulation is to mean what it means in the papers, so games on such
    /// a budget are interleaved, unless an agent needs threads of its own. Where time
    /// counts, every game has its own machine.
    #[must_use]
    pub fn of(contenders: &[PlayerSpec], budget: MoveBudget) -> Self {
        match budget {
            MoveBudget::Clocks(_) => Self::Hosted,
            counted if counted.is_counted() && !contenders.iter().any(PlayerSpec::is_parallel) => {
                Self::Interleaved
            }
            _ => Self::Dedicated,
        }
    }
}
