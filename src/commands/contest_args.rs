//! The options that `gdl match` and `gdl tournament` share, and the games they open.

use anyhow::ensure;
use gdl_contests::budget::MoveBudget;
use gdl_contests::contest_game::ContestGame;
use gdl_contests::idle_search::IdleSearch;
use gdl_contests::options::RunOptions;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::stop_flag::StopFlag;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the games of contests are played, whatever is played.
#[derive(Debug, Clone, clap::Args)]
pub struct ContestArgs {
    /// Threads to play on; by default as many as there are cores. A seed
    /// reproduces games only with the same number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Even with --sims or --steps, run the searches of one game at a time, with many
    /// concurrent simulations each
    #[arg(long)]
    one_by_one: bool,
    /// Memory per player for its tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: u32,
    /// Time in which champions learn before the first move of every game, with --time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = humantime::parse_duration)]
    start: Duration,
    #[command(flatten)]
    idle: IdleSearchArgs,
    /// Number of rounds after which a game is abandoned
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rounds: usize,
    /// Write a record of every game to this folder, in the JSON of GGP Base
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
}

/// What players search while they have nothing to decide.
#[derive(Debug, Clone, clap::Args)]
struct IdleSearchArgs {
    /// With --sims or --steps, a start clock: simulations of each player before the first
    /// move of every game
    #[arg(long, alias = "start-simulations", value_name = "N", conflicts_with = "start_steps",
          value_parser = clap::value_parser!(u64).range(1..))]
    start_sims: Option<u64>,
    /// With --sims or --steps, a start clock: moves that the simulations of each player may
    /// make before the first move of every game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    start_steps: Option<u64>,
    /// With --sims or --steps, search even where a role has a single legal move, as hosted
    /// players can
    #[arg(long)]
    forced: bool,
}

impl IdleSearchArgs {
    fn search(&self) -> IdleSearch {
        let steps = self.start_steps.map(MoveBudget::Steps);
        IdleSearch {
            start: self.start_sims.map(MoveBudget::Simulations).or(steps),
            forced: self.forced,
        }
    }
}

impl ContestArgs {
    /// Returns the options for the library; `stop` ends hosted matches.
    pub(super) fn options(&self, stop: &StopFlag) -> RunOptions {
        RunOptions {
            threads: self.threads.map(usize::from),
            dedicated: self.one_by_one,
            memory: self.memory as usize,
            start: self.start,
            idle: self.idle.search(),
            rounds: self.rounds,
            records: self.records.clone(),
            stop: stop.clone(),
        }
    }
}

/// Loads the rule sheet or built-in game of a contest.
///
/// # Errors
/// If there is no such game, it has errors, or it could not be read again.
pub(super) fn open_game(file: &Path, kind: EngineKind) -> anyhow::Result<ContestGame> {
    ensure!(
        file != Path::new("-"),
        "a contest needs a rule sheet that can be read again, not standard input"
    );
    let (loaded, rules) = gdl_engines::open_with_rules(file, kind, &EngineOptions::default())?;
    Ok(ContestGame::new(file, &rules.text, loaded.engine, kind))
}
