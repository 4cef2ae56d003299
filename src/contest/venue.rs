//! Where the games of a contest are played: the one place that decides it.

use super::agents::{Agent, Limits};
use super::{Budget, Terms};
use agent::contest::{OneByOne, SharedEngine, Venue};
use agent::player::Player;
use runtime::engine::Engine;

/// Ways of playing the games of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VenueKind {
    /// Each game by itself, its search filling the lanes of a machine.
    OneByOne,
    /// The same, but every search has one simulation in flight: what the papers
    /// measured.
    Sequential,
}

impl VenueKind {
    /// A counted simulation is to mean what it means in the papers; where time
    /// counts, every game has its machine for itself.
    #[must_use]
    pub fn of(budget: Budget) -> Self {
        match budget {
            Budget::Simulations(_) => Self::Sequential,
            Budget::Seconds(_) => Self::OneByOne,
        }
    }

    /// What journals call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneByOne => "one by one",
            Self::Sequential => "sequential",
        }
    }
}

/// Plays games of these terms on so many threads, with a call that is given the
/// venue.
pub fn with_venue<T>(
    terms: &Terms,
    agents: &[Agent],
    engine: &SharedEngine,
    threads: usize,
    play: impl FnOnce(&mut dyn Venue) -> T,
) -> T {
    let one = (VenueKind::of(terms.budget) == VenueKind::Sequential).then_some(1);
    let limits = Limits {
        memory: terms.memory << 20,
        in_flight: one,
        playouts: one,
    };
    let make_player = |agent: usize, engine: &dyn Engine, seed: u64| -> Box<dyn Player> {
        agents[agent].player(engine, limits, seed)
    };
    play(&mut OneByOne {
        engine: engine.clone(),
        make_player: &make_player,
        allowance: terms.budget.allowance(),
        rounds: terms.rounds,
        threads,
    })
}
