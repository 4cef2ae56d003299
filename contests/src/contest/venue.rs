//! Where the games of a contest are played: the one place that decides it.

use super::hosted::Hosted;
use super::run::Game;
use super::{Budget, Terms};
use gdl_agent::agents::{Agent, Limits};
use gdl_agent::contest::{OneByOne, SideBySide, Venue};
use gdl_agent::player::Player;
use gdl_network::host::{Interrupt, PlayerSpec};
use gdl_runtime::engine::Engine;
use serde::{Deserialize, Serialize};

/// Simulations that the trees of one agent on one thread may have learned from
/// at a time: with a few hundred bytes a node, a gigabyte or two.
const SIMULATIONS: u64 = 5_000_000;

/// Steps of a simulation that is shorter than most: by these it is guessed to how many
/// simulations a budget of steps comes, rather too many than too few.
const SHORT_SIMULATION: u64 = 16;

/// What a run of games asks of a venue.
#[derive(Debug, Clone)]
pub struct Demand {
    /// Threads to use.
    pub threads: usize,
    /// Games at a time on a thread, where that is up to the venue.
    pub boards: usize,
    /// Ends a hosted match.
    pub interrupt: Interrupt,
}

impl Demand {
    /// As many games at a time as memory has room for, but at most so many.
    #[must_use]
    pub fn new(threads: usize, boards: usize, budget: Budget, interrupt: Interrupt) -> Self {
        let room = match budget {
            Budget::Simulations(count) => SIMULATIONS / count.max(1),
            Budget::Steps(count) => SIMULATIONS * SHORT_SIMULATION / count.max(1),
            Budget::Seconds(_) | Budget::Clocks(_) => 1,
        };
        Self {
            threads,
            boards: boards.min((room as usize).max(1)),
            interrupt,
        }
    }
}

/// Ways of playing the games of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VenueKind {
    /// Many games in the lanes of one machine, each search with one simulation in
    /// flight.
    SideBySide,
    /// Every game has a machine for itself, and its searches all of the lanes.
    OneByOne,
    /// One match after another, by the clocks of a host.
    Hosted,
}

impl VenueKind {
    /// A counted simulation is to mean what it means in the papers, so that games
    /// on such a budget are played side by side, unless an agent needs threads of
    /// its own. Where time counts, every game has a machine.
    #[must_use]
    pub fn of(contenders: &[PlayerSpec], budget: Budget) -> Self {
        match budget {
            Budget::Clocks(_) => Self::Hosted,
            counted if counted.is_counted() && !contenders.iter().any(PlayerSpec::is_parallel) => {
                Self::SideBySide
            }
            _ => Self::OneByOne,
        }
    }
}

/// Calls `play` with the venue of a contest.
pub fn with_venue<T>(
    terms: &Terms,
    contenders: &[PlayerSpec],
    game: &Game,
    demand: &Demand,
    play: impl FnOnce(&mut dyn Venue) -> T,
) -> T {
    let engine = game.engine.clone();
    let memory = terms.memory << 20;
    let (threads, boards) = (demand.threads, demand.boards);
    let rounds = terms.rounds;
    if let Budget::Clocks(clocks) = terms.budget {
        return play(&mut Hosted {
            engine,
            rules: game.rules(),
            contenders,
            clocks,
            rounds,
            memory,
            interrupt: demand.interrupt.clone(),
        });
    }
    // Without clocks nobody plays elsewhere.
    let agents = contenders.iter().filter_map(PlayerSpec::agent);
    let agents: &[Agent] = &agents.cloned().collect::<Vec<Agent>>();
    if terms.venue == VenueKind::SideBySide && terms.budget.is_counted() {
        return play(&mut SideBySide {
            engine,
            agents,
            allowance: terms.budget.allowance(),
            rounds,
            memory,
            boards,
            threads,
        });
    }
    let limits = Limits {
        memory,
        // Where the budget is counted, each simulation is to add a node.
        playouts: terms.budget.is_counted().then_some(1),
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
