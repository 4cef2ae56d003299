//! How the games of a contest are played, whatever is played.

use gdl_network::host::PlayerSpec;
use gdl_runtime::stop_flag::StopFlag;
use std::path::PathBuf;

/// Options that all contests of a run share.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The number of threads to play on; by default one per core. A seed repeats games
    /// only on the same number of threads.
    pub threads: Option<usize>,
    /// Whether games on a counted budget, too, have a machine each, whose searches
    /// have many simulations in flight.
    pub dedicated: bool,
    /// Memory for the tree of each player, in MiB.
    pub memory: usize,
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
            rounds: 1000,
            records: None,
            stop: StopFlag::default(),
        }
    }
}

impl RunOptions {
    /// The number of threads for these players. Agents that have threads of their own
    /// play one game at a time by default.
    pub(crate) fn threads_for(&self, players: &[PlayerSpec]) -> usize {
        let cores = || match players.iter().any(PlayerSpec::is_parallel) {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, usize::from),
        };
        self.threads.unwrap_or_else(cores)
    }
}
