//! `gdl learn`: learns to evaluate the states of a game, and keeps what it learned.

mod curve;
mod quick_games;
mod round_table;

use crate::seeds;
use anyhow::{Context as _, bail};
use gdl_agent::learning::{LearnedNetwork, Learner, LearningRound, file};
use gdl_engines::whole_file;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use quick_games::QuickGames;
use round_table::{RoundRow, table_head};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Learn to evaluate the states of a game, and write what was learned to a file
///
/// A small network plays against itself and is fitted to the results. The agent
/// `champion(net=FILE)` then plays by it from the first move.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl learn games/breakthrough.kif --time 10m -o breakthrough.net
  gdl learn games/breakthrough.kif --from breakthrough.net -o breakthrough.net
  gdl learn games/hex.kif --time 1h -o hex.net --curve hex.svg
  gdl play games/hex.kif --player 1=champion(net=hex.net)
  gdl match games/hex.kif champion(net=hex.net,trials=0) uct --time 200ms --start 0s

Every line is a round: the time so far, the games learned from, the moves per second
that each thread makes in self-play, and the loss, which is the mean cross entropy of
results that the network had not seen. In the last quarter of the time, searches of a few
hundred states choose the moves, and what they find is learned in place of results: there
are far fewer games then. Now and then it plays 10 quick games against uct,
at 20 ms per move; the time that these take is not counted. A score of 100 % means that it
won all of them.

A network is of use only for the rules that it was learned from. On interruption
(Ctrl-C), what has been learned so far is written, and the exit code is 2.")]
pub struct LearnArgs {
    /// The rule sheet, or the name of a game that is built in
    file: PathBuf,
    /// The file to write the network to
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Time to learn for
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_time)]
    time: Duration,
    /// Continue from the network in this file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The engine that runs the game: net or native
    #[arg(long, value_enum, default_value_t = EngineKind::Net)]
    engine: EngineKind,
    /// Threads to play on; by default as many as there are cores. One of them also trains
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Play quick games against uct after every N rounds, and at the end
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    against_uct: u32,
    /// Play no games against uct
    #[arg(long, conflicts_with = "against_uct")]
    no_matches: bool,
    /// Draw the loss and the score over time to this file, as SVG
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Seed of all random choices; by default a fresh one. It does not make a run
    /// repeatable, since the time decides how many games are played
    #[arg(long)]
    seed: Option<u64>,
    /// Print one JSON object at the end instead of a table
    #[arg(long)]
    json: bool,
}

/// The interval at which the network is written while it learns.
const SAVING: Duration = Duration::from_secs(60);

/// The longest time to learn for, beyond which clocks could overflow.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

fn parse_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time.is_zero() || time > LONGEST => Err("not a time up to a year".to_owned()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.to_string()),
    }
}

/// Learns, and writes the network.
///
/// # Errors
/// If the game cannot be loaded or learned, or a file cannot be read or written.
pub fn run(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    let mut engine = gdl_engines::open(&args.file, args.engine, &EngineOptions::default())?.engine;
    let layout = engine.layout().with_context(|| {
        let name = engine.name();
        format!("the engine {name} does not know all fluents in advance, which networks require")
    })?;
    let seed = seeds::given_or_fresh(args.seed);
    let learner = args.learner(&*engine, &layout, seed)?;
    // Find out before anything is learned whether the files can be written.
    for path in [Some(&args.out), args.curve.as_ref()].into_iter().flatten() {
        whole_file::begin(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let stop = StopFlag::default();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            exit(2);
        }
        raised.raise();
    })
    .context("cannot listen for interruptions")?;
    let mut session = LearningSession {
        args,
        layout: &layout,
        learner,
        bar: progress(args.time)?,
        stop,
        rows: Vec::new(),
        seed,
    };
    session.learn(engine.as_mut())?;
    session.conclude(&engine.name())
}

impl LearnArgs {
    fn learner(&self, engine: &dyn Engine, layout: &Layout, seed: u64) -> anyhow::Result<Learner> {
        let learner = Learner::new(engine.lanes(seed), &engine.initial(), layout, seed)?;
        let threads = match self.threads {
            Some(threads) => usize::from(threads),
            None => available_parallelism().map_or(1, usize::from),
        };
        let learner = learner
            .with_threads(threads, |seed| engine.lanes(seed))
            .with_searches(layout, |seed| engine.lanes(seed))
            .with_symmetries(engine.symmetry_finder())
            .with_reachability(engine.reachability_finder());
        Ok(match &self.from {
            Some(path) => learner.with_network(file::load(path, Some(layout))?, layout),
            None => learner,
        })
    }
}

/// A progress bar for this time; nothing if standard error is not a terminal.
fn progress(time: Duration) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} % {elapsed} {wide_msg}")?;
    let bar = ProgressBar::new(time.as_millis() as u64).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    Ok(bar)
}

/// A learning run in progress.
struct LearningSession<'a> {
    args: &'a LearnArgs,
    layout: &'a Layout,
    learner: Learner,
    bar: ProgressBar,
    stop: StopFlag,
    rows: Vec<RoundRow>,
    seed: u64,
}

impl LearningSession<'_> {
    /// Learns until the time is over or it is interrupted.
    fn learn(&mut self, engine: &mut dyn Engine) -> anyhow::Result<()> {
        self.print(&table_head());
        let mut saved = Instant::now();
        loop {
            let mut round = None;
            let mut watch = |learned: &LearningRound| round = Some(*learned);
            let done = self.learner.time();
            let goes_on = (self.learner).learn_round(done, self.args.time, &self.stop, &mut watch);
            if let Some(round) = round {
                self.conclude_round(engine, &round, !goes_on);
            }
            if !goes_on {
                return Ok(());
            }
            if saved.elapsed() >= SAVING {
                self.save()?;
                saved = Instant::now();
            }
        }
    }

    /// Plays quick games if it is time for that, and shows a round.
    fn conclude_round(&mut self, engine: &mut dyn Engine, round: &LearningRound, is_last: bool) {
        let done = self.learner.time();
        self.bar.set_position(done.as_millis() as u64);
        let mut row = RoundRow::new(round, self.learner.games());
        let number = self.rows.len() as u32 + 1;
        let is_due = is_last || number.is_multiple_of(self.args.against_uct);
        if let Some(learned) = self.learner.learned()
            && is_due
            && !self.args.no_matches
        {
            self.bar.set_message("quick games against uct");
            let games = QuickGames {
                engine,
                learned: &learned,
                stop: &self.stop,
                seed: self.seed.wrapping_add(u64::from(number)),
            };
            match games.play() {
                Ok(score) => row.against_uct = score,
                // Rules may leave a role without a move; what was learned stays of use.
                Err(error) => tracing::warn!("no quick games: {error:#}"),
            }
        }
        self.print(&row.to_string());
        let games = HumanCount(row.games);
        // There is no loss until a game has been held out.
        let loss = self.learner.loss().map(|loss| format!(", loss {loss:.3}"));
        (self.bar).set_message(format!("{games} games{}", loss.unwrap_or_default()));
        self.rows.push(row);
    }

    /// Writes the network, if there is one.
    fn save(&self) -> anyhow::Result<Option<LearnedNetwork>> {
        let learned = self.learner.learned();
        if let Some(learned) = &learned {
            replace(&self.args.out, &file::write(learned, self.layout))?;
        }
        Ok(learned)
    }

    /// Writes and prints the results.
    fn conclude(&self, engine: &str) -> anyhow::Result<ExitCode> {
        self.bar.finish_and_clear();
        let Some(learned) = self.save()? else {
            bail!("no game ended in time, so nothing was learned");
        };
        let out = self.args.out.display().to_string();
        let game = self.args.file.display().to_string();
        if let Some(path) = &self.args.curve {
            let curve = curve::draw(&game, &self.rows);
            replace(path, curve.as_bytes())?;
        }
        let interrupted = self.stop.is_raised();
        if self.args.json {
            let report = json!({
                "game": game,
                "engine": engine,
                "seed": self.seed,
                "out": out,
                "from": self.args.from,
                "interrupted": interrupted,
                "features": learned.network.features(),
                "patterns": learned.features.patterns().len(),
                "reached": learned.reached,
                "games": learned.games,
                "seconds": learned.time.as_secs_f64(),
                "rounds": self.rows,
            });
            println!("{report:#}");
        } else {
            let (games, time) = (HumanCount(learned.games), learned.time.as_secs_f64());
            println!("{out}: learned from {games} games in {time:.1} s");
        }
        if interrupted {
            eprintln!("interrupted; what was learned so far is in {out}");
        }
        Ok(ExitCode::from(if interrupted { 2 } else { 0 }))
    }

    /// Prints a line of the table.
    fn print(&self, line: &str) {
        if !self.args.json {
            self.bar.suspend(|| println!("{line}"));
        }
    }
}

/// Replaces a file, atomically.
fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    whole_file::replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
