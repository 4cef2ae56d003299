//! `gdl match`: lets agents play many games of one rule sheet.

use super::budget::BudgetOptions;
use super::contest_args::{ContestArgs, open_game};
use super::contest_progress::ContestProgress;
use super::live_args::LiveArgs;
use super::live_run::{LiveRun, live_game, observers};
use crate::seeds;
use anyhow::ensure;
use gdl_contests::budget::MoveBudget;
use gdl_contests::contest::{self, Contest};
use gdl_contests::contest_game::ContestGame;
use gdl_contests::journal::{ContestStore, StoredContest};
use gdl_contests::report::text;
use gdl_contests::sequential_test::SequentialTest;
use gdl_contests::statistics::sprt::Sprt;
use gdl_contests::summary::{ContestSummary, SequentialReport};
use gdl_engines::EngineKind;
use gdl_network::host::{PlayerSpec, clocks};
use gdl_network::protocol::ClockSeconds;
use gdl_runtime::stop_flag::StopFlag;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Let agents play many games, and find out which is better
///
/// Roles rotate: two agents play every seed twice, with roles swapped. Every game is
/// appended to a file as soon as it ends, and after an interruption the same command
/// continues with that file. Unfinished games that had taken more than a second are then
/// resumed by fresh players; their moves are kept in a file *.under-way until all games
/// are over.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl match games/breakthrough.kif uct random --games 20 --time 200ms
  gdl match games/hex.kif uct random --games 100 --sims 1000 --seed 7
  gdl match games/othello.kif uct random --games 1000 --sims 1000 --sprt
  gdl match games/yavalath.kif uct random --games 12 --sims 500 --json | jq .score
  gdl match games/hex.kif http://localhost:9147 uct --games 10 --playclock 5
  gdl match games/hex.kif uct+mast uct --time 1s --view      boards in the browser

Scores range from 0 to 1 in JSON: a game is won (1) by the agent with the higher
goal, or drawn (1/2). An agent with several roles gets the mean of their goals, and
with several opponents the mean of the scores against each. In games of one role the
agents play alone, and their goals with the same seed are compared. The interval is
that of the normal distribution, 1.96 standard errors to each side, or Wilson's if
all scores are equal.

With --sims or --steps many games are played side by side, each with sequential
simulations, as in the literature; a seed reproduces all of them with the same number
of --threads and on processors with the same vector instructions. With --time every
thread plays one game with many concurrent simulations. With a start clock and a play
clock, games are hosted one after another, as by gdl host: a move that is late or
illegal is replaced by a random one, and counted.

Exit code 1 if a move was illegal, or a sequential test did not find the first agent
better.")]
pub struct MatchArgs {
    /// The rule sheet, or the name of a game that is built in
    file: PathBuf,
    /// The engine that runs the game
    #[arg(long, value_enum, default_value_t = EngineKind::Net)]
    engine: EngineKind,
    #[command(flatten)]
    contest: MatchOptions,
}

/// Who plays, how many games, and on which budget.
#[derive(Debug, Clone, clap::Args)]
pub struct MatchOptions {
    /// The agents: at least two, and at most as many as there are roles, but any number in games
    /// of one role. A remote player is given by its address, as http://HOST:PORT
    #[arg(required = true, num_args = 2.., value_name = "AGENT")]
    agents: Vec<PlayerSpec>,
    /// Number of games; a multiple of the number of agents rotates roles evenly
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    #[command(
        flatten,
        next_help_heading = "Budget per move (--time 1s if none is given)"
    )]
    budget: BudgetOptions,
    /// Host the games: seconds from the rules to the first state [default: 30]
    #[arg(long, value_name = "S", conflicts_with_all = ["time", "sims", "steps"])]
    startclock: Option<ClockSeconds>,
    /// Host the games: seconds per move [default: 10]
    #[arg(long, value_name = "S", conflicts_with_all = ["time", "sims", "steps"])]
    playclock: Option<ClockSeconds>,
    /// Seed of all random choices; by default that of the file, or a fresh one
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    sequential: SequentialArgs,
    /// Print the results as a JSON object
    #[arg(long)]
    json: bool,
    /// The file in which games are kept; by default one in the current folder that is
    /// named after the game, the agents and the budget
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: ContestArgs,
    #[command(flatten)]
    live: LiveArgs,
}

/// When to stop early.
#[derive(Debug, Clone, clap::Args)]
struct SequentialArgs {
    /// Stop as soon as a sequential test of the first of two agents is decided
    #[arg(long)]
    sprt: bool,
    /// Elo difference of hypothesis H0: not better [default: 0]
    #[arg(
        long,
        requires = "sprt",
        value_name = "ELO",
        allow_negative_numbers = true
    )]
    elo0: Option<f64>,
    /// Elo difference of hypothesis H1: better [default: 35]
    #[arg(
        long,
        requires = "sprt",
        value_name = "ELO",
        allow_negative_numbers = true
    )]
    elo1: Option<f64>,
    /// Maximum probability of accepting H1 wrongly [default: 0.05]
    #[arg(long, requires = "sprt", value_name = "P")]
    alpha: Option<f64>,
    /// Maximum probability of accepting H0 wrongly [default: 0.05]
    #[arg(long, requires = "sprt", value_name = "P")]
    beta: Option<f64>,
}

impl SequentialArgs {
    fn test(&self) -> anyhow::Result<Option<SequentialTest>> {
        let default = Sprt::default();
        let sprt = Sprt {
            elo0: self.elo0.unwrap_or(default.elo0),
            elo1: self.elo1.unwrap_or(default.elo1),
            alpha: self.alpha.unwrap_or(default.alpha),
            beta: self.beta.unwrap_or(default.beta),
        };
        let error = |p: f64| p > 0.0 && p < 0.5;
        ensure!(
            error(sprt.alpha) && error(sprt.beta),
            "--alpha and --beta lie between 0 and 0.5"
        );
        ensure!(
            sprt.elo0.abs() < 2000.0 && sprt.elo1.abs() < 2000.0,
            "--elo0 and --elo1 lie between -2000 and 2000"
        );
        ensure!(sprt.elo0 < sprt.elo1, "--elo0 has to be below --elo1");
        Ok(self.sprt.then(|| SequentialTest::new(sprt)))
    }
}

impl MatchOptions {
    /// Returns the budget of every move. If none is given, matches with remote players
    /// have the clocks of `gdl host`, and others a second per move.
    fn budget(&self) -> MoveBudget {
        let clocks = clocks::complete(self.startclock, self.playclock).map(MoveBudget::Clocks);
        let default = || match self.agents.iter().any(|who| who.address().is_some()) {
            true => MoveBudget::Clocks(clocks::DEFAULT),
            false => MoveBudget::Seconds(1.0),
        };
        self.budget.chosen().or(clocks).unwrap_or_else(default)
    }
}

/// Loads a game and lets agents play it.
///
/// # Errors
/// If the game cannot be loaded; otherwise as [`play`].
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let game = open_game(&args.file, args.engine)?;
    play(&game, &args.contest)
}

/// Plays the games that the file lacks, and prints the results of all its games.
///
/// # Errors
/// If the options do not fit the game, the file is that of another contest, or a game
/// cannot be played or saved.
pub fn play(game: &ContestGame, args: &MatchOptions) -> anyhow::Result<ExitCode> {
    let mut test = args.sequential.test()?;
    ensure!(
        test.is_none() || args.agents.len() == 2,
        "--sprt compares two agents"
    );
    let budget = args.budget();
    let stop = StopFlag::default();
    let options = args.run.options(&stop);
    let mut configuration =
        game.configuration(&args.agents, budget, args.seed.unwrap_or(0), &options, None)?;
    let named = || PathBuf::from(format!("{}.jsonl", configuration.file_name()));
    let path = args.out.clone().unwrap_or_else(named);
    if args.seed.is_none() {
        configuration.seed = seeds::given_or_fresh(known_seed(&path)?);
    }
    let mut contest = Contest {
        store: ContestStore::open(&path, &configuration)?,
        ranges: std::iter::once(0..args.games).collect(),
        agents: &args.agents,
    };
    let progress = ContestProgress::start(args.games, &stop)?;
    progress.playing(budget);
    progress.note(&format!("games are kept in {}", path.display()));
    let set = configuration.schedule().set_size();
    if !args.games.is_multiple_of(set) {
        progress.note("--games is not a multiple of the number of agents: roles are uneven");
    }
    let agents = configuration.agents.join(" - ");
    let live = LiveRun::start(&args.live, &format!("{}: {agents}", game.name), args.games)?;
    let group = live.as_ref().map(|live| live.group(&live_game(game), 0));
    let contests = std::slice::from_mut(&mut contest);
    let observer = observers(&progress, group.as_ref());
    contest::play(game, contests, &options, test.as_mut(), &observer)?;
    progress.finish();
    live.iter().for_each(LiveRun::end);
    let stored = &contest.store.stored;
    conclude(args, &summarise(stored, args.games, test.as_mut()))
}

/// Prints the results. The exit code is 0 unless a move was illegal or the sequential
/// test did not find the first agent better.
fn conclude(args: &MatchOptions, summary: &ContestSummary) -> anyhow::Result<ExitCode> {
    if args.json {
        println!("{}", serde_json::to_string_pretty(summary)?);
    } else {
        print!("{}", text::contest(summary));
    }
    let better = |test: &SequentialReport| test.accepted.as_deref() == Some("H1");
    let sound = summary.illegal == 0 && summary.sprt.as_ref().is_none_or(better);
    Ok(ExitCode::from(u8::from(!sound)))
}

/// Returns the seed of a contest that has already begun, if it has.
fn known_seed(path: &Path) -> anyhow::Result<Option<u64>> {
    if !path.exists() {
        return Ok(None);
    }
    Ok(StoredContest::read(path)?.map(|stored| stored.configuration.seed))
}

/// Returns the results of the first `games` games, or of those that the test needed.
fn summarise(
    stored: &StoredContest,
    games: u64,
    test: Option<&mut SequentialTest>,
) -> ContestSummary {
    let Some(test) = test else {
        return ContestSummary::new(stored, games);
    };
    let needed = test.look(stored).unwrap_or(games);
    ContestSummary {
        sprt: Some(test.report()),
        ..ContestSummary::new(stored, games.min(needed))
    }
}
