//! The choice of a runner, which is made only here.

use super::{DedicatedRunner, GameWatch, HostedRunner, InterleavedRunner, Runner, RunnerKind};
use crate::budget::MoveBudget;
use crate::configuration::ContestConfiguration;
use crate::contest_game::ContestGame;
use crate::idle_search::IdleSearch;
use gdl_agent::agents::Agent;
use gdl_agent::player::Player;
use gdl_agent::search::SearchLimits;
use gdl_network::host::PlayerSpec;
use gdl_runtime::engine::Engine;
use gdl_runtime::stop_flag::StopFlag;
use std::time::Duration;

/// Simulations that the trees of one agent on one thread may hold at a time: with a
/// few hundred bytes per node, one or two gigabytes.
const SIMULATIONS: u64 = 5_000_000;

/// The steps of a simulation that is shorter than most. Divided by it, a budget of steps
/// is an estimated number of simulations, too high rather than too low.
const SHORT_SIMULATION: u64 = 16;

/// What a run may use.
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// The number of threads.
    pub threads: usize,
    /// The greatest number of games at a time on a thread, for runners that play
    /// several.
    pub games_per_thread: usize,
    /// Ends a hosted match.
    pub stop: StopFlag,
}

impl RunnerOptions {
    /// As many games at a time as memory has room for, but at most
    /// `games_per_thread`.
    #[must_use]
    pub fn new(
        threads: usize,
        games_per_thread: usize,
        budget: MoveBudget,
        idle: IdleSearch,
        stop: StopFlag,
    ) -> Self {
        let room = |budget| match budget {
            MoveBudget::Simulations(count) => SIMULATIONS / count.max(1),
            MoveBudget::Steps(count) => SIMULATIONS * SHORT_SIMULATION / count.max(1),
            MoveBudget::Seconds(_) | MoveBudget::Clocks(_) => 1,
        };
        let room = idle
            .start
            .map_or(room(budget), |start| room(budget).min(room(start)));
        Self {
            threads,
            games_per_thread: games_per_thread.min((room as usize).max(1)),
            stop,
        }
    }
}

/// Calls `play` with the runner that a contest asks for, whose games `watch` follows, and
/// returns its result.
pub fn with_runner<T>(
    configuration: &ContestConfiguration,
    contenders: &[PlayerSpec],
    game: &ContestGame,
    options: &RunnerOptions,
    watch: &dyn GameWatch,
    play: impl FnOnce(&mut dyn Runner) -> T,
) -> T {
    let engine = game.engine.clone();
    let memory = configuration.memory << 20;
    let (threads, rounds) = (options.threads, configuration.rounds);
    if let MoveBudget::Clocks(clocks) = configuration.budget {
        return play(&mut HostedRunner {
            engine,
            rules: game.rules(),
            contenders,
            clocks,
            rounds,
            memory,
            stop: options.stop.clone(),
            watch,
        });
    }
    // Without clocks all contenders are agents of our own.
    let agents = contenders.iter().filter_map(PlayerSpec::agent);
    let agents: &[Agent] = &agents.cloned().collect::<Vec<Agent>>();
    let time_control = configuration.budget.time_control();
    if configuration.runner == RunnerKind::Interleaved && configuration.budget.is_counted() {
        return play(&mut InterleavedRunner {
            engine,
            agents,
            time_control,
            idle: configuration.idle,
            rounds,
            memory,
            games_per_thread: options.games_per_thread,
            threads,
            watch,
        });
    }
    let limits = SearchLimits {
        memory,
        // Where the budget is counted, each simulation is to add a node.
        playouts_per_leaf: configuration.budget.is_counted().then_some(1),
        ..SearchLimits::default()
    };
    let make_player = |agent: usize, engine: &dyn Engine, seed: u64| -> Box<dyn Player> {
        agents[agent].player(engine, limits, seed)
    };
    play(&mut DedicatedRunner {
        engine,
        make_player: &make_player,
        time_control,
        idle: configuration.idle,
        start: configuration.start.map(Duration::from_secs_f64),
        rounds,
        threads,
        watch,
    })
}
