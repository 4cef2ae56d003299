//! Where the games of a contest are played: the one place that decides it.

use super::{Budget, Terms};
use agent::agents::{Agent, Limits};
use agent::contest::{OneByOne, SharedEngine, SideBySide, Venue};
use agent::player::Player;
use runtime::engine::Engine;

/// Simulations that the trees of one agent on one thread may have learned from
/// at a time: with a few hundred bytes a node, a gigabyte.
const SIMULATIONS: u64 = 2_000_000;

/// What a run of games asks of a venue.
#[derive(Debug, Clone, Copy)]
pub struct Demand {
    /// Threads to use.
    pub threads: usize,
    /// Games at a time on a thread, where that is up to the venue.
    pub boards: usize,
}

impl Demand {
    /// As many games at a time as memory has room for, but at most so many.
    #[must_use]
    pub fn new(threads: usize, boards: usize, budget: Budget) -> Self {
        let room = match budget {
            Budget::Simulations(count) => SIMULATIONS / count.max(1),
            Budget::Seconds(_) => 1,
        };
        Self {
            threads,
            boards: boards.min((room as usize).max(1)),
        }
    }
}

/// What journals call the venue of such games.
#[must_use]
pub fn name(budget: Budget) -> &'static str {
    match budget {
        Budget::Simulations(_) => "side by side",
        Budget::Seconds(_) => "one by one",
    }
}

/// Calls `play` with the venue of a contest. A counted simulation is to mean what
/// it means in the papers, so that games on such a budget are played side by
/// side, each search with one simulation in flight; where time counts, every
/// game has a machine for itself, and its search all of the lanes.
pub fn with_venue<T>(
    terms: &Terms,
    agents: &[Agent],
    engine: &SharedEngine,
    demand: Demand,
    play: impl FnOnce(&mut dyn Venue) -> T,
) -> T {
    let engine = engine.clone();
    let memory = terms.memory << 20;
    let (threads, boards) = (demand.threads, demand.boards);
    let rounds = terms.rounds;
    if let Budget::Simulations(simulations) = terms.budget {
        return play(&mut SideBySide {
            engine,
            agents,
            simulations,
            rounds,
            memory,
            boards,
            threads,
        });
    }
    let limits = Limits {
        memory,
        ..Limits::default()
    };
    let make_player = |agent: usize, engine: &dyn Engine, seed: u64| -> Box<dyn Player> {
        agents[agent].player(engine, limits, seed)
    };
    play(&mut OneByOne {
        engine,
        make_player: &make_player,
        allowance: terms.budget.allowance(),
        rounds,
        threads,
    })
}
