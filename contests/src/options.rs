//! How the games of a contest are played, whatever the game.

use crate::budget::MoveBudget;
use crate::idle_search::IdleSearch;
use gdl_agent::agents::Agent;
use gdl_network::host::PlayerSpec;
use gdl_runtime::stop_flag::StopFlag;
use std::path::PathBuf;
use std::time::Duration;

/// Options that all contests of a run share.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The number of threads to play on; by default one per core. A seed repeats games
    /// only on the same number of threads.
    pub threads: Option<usize>,
    /// Whether games on a counted budget also have a machine each, so that their
    /// searches have many simulations in flight.
    pub dedicated: bool,
    /// Memory for the tree of each player, in MiB.
    pub memory: usize,
    /// The time before the first move of a game in which players learn, if any does and
    /// moves cost time.
    pub start: Duration,
    /// What players search while they have nothing to decide.
    pub idle: IdleSearch,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// The folder that gets a record of every match, if any.
    pub records: Option<PathBuf>,
    /// Ends a hosted match, and the run.
    pub stop: StopFlag,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            threads: None,
            dedicated: false,
            memory: 256,
            start: Duration::from_secs(10),
            idle: IdleSearch::default(),
            rounds: 1000,
            records: None,
            stop: StopFlag::default(),
        }
    }
}

impl RunOptions {
    /// The seconds in which these players learn; `None` if none of them does.
    pub(crate) fn start_for(&self, players: &[PlayerSpec], budget: MoveBudget) -> Option<f64> {
        let mut agents = players.iter().filter_map(PlayerSpec::agent);
        let learns = matches!(budget, MoveBudget::Seconds(_)) && agents.any(Agent::learns);
        learns.then_some(self.start.as_secs_f64())
    }

    /// The number of threads for these players. Agents that have threads of their own
    /// play one game at a time by default.
    #[must_use]
    pub fn threads_for(&self, players: &[PlayerSpec]) -> usize {
        let cores = || match players.iter().any(PlayerSpec::is_parallel) {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, usize::from),
        };
        self.threads.unwrap_or_else(cores)
    }
}
