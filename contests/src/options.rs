//! How the games of a contest are played, whatever they are.

use gdl_network::host::PlayerSpec;
use std::path::PathBuf;

/// What is the same for all contests of a command.
#[derive(Debug, Clone, clap::Args)]
pub struct RunOptions {
    /// Threads to play on; by default as many as there are cores. A seed repeats
    /// games only on the same number of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// With --sims too, give every game a machine for itself, whose searches have
    /// many simulations in flight
    #[arg(long)]
    pub(crate) one_by_one: bool,
    /// Memory for each player's tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub memory: usize,
    /// Rounds after which a game is given up
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rounds: usize,
    /// Write a record of every game played to this folder, in the JSON of the GGP
    /// base
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
}

impl RunOptions {
    /// Agents that have threads of their own play one game at a time.
    pub(crate) fn threads(&self, contenders: &[PlayerSpec]) -> usize {
        let cores = || match contenders.iter().any(PlayerSpec::is_parallel) {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, usize::from),
        };
        self.threads.map_or_else(cores, usize::from)
    }
}
