//! `gdl verify`: replays recorded playouts and compares every state.

use anyhow::{Context as _, bail};
use gdl_engines::input;
use gdl_engines::trace::{self, Recording, Replay, ReplayOutcome};
use gdl_engines::{EngineKind, EngineOptions, LoadError};
use gdl_runtime::engine::Engine;
use gdl_runtime::kif::normalise;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Replay recorded playouts, comparing states, legal moves, ends and goals
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl verify --engine reference chess.kif chess.jsonl.gz
  gdl verify --engine net --corpus ../shared/corpus --only checkers
  gdl verify --record 2 --seed 7 tictactoe.kif tictactoe.jsonl

The last line is `verified N states, M mismatches`; exit code 1 if M is not 0, or a game
of the corpus could not be verified.")]
pub struct VerifyArgs {
    /// The engine that plays
    #[arg(long, value_enum, default_value_t = EngineKind::Reference)]
    engine: EngineKind,
    /// The rule sheet
    #[arg(required_unless_present = "corpus")]
    file: Option<PathBuf>,
    /// Traces of playouts of that game, plain or gzip-compressed
    #[arg(required_unless_present = "corpus")]
    traces: Vec<PathBuf>,
    /// Verify every DIR/games/NAME.kif with its DIR/traces/NAME.jsonl.gz
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "traces", "record"])]
    corpus: Option<PathBuf>,
    /// Verify only games of the corpus whose name contains this text
    #[arg(long, value_name = "TEXT", requires = "corpus")]
    only: Option<String>,
    /// Stop replaying a game of the corpus after this many seconds
    #[arg(long, value_name = "SECONDS", requires = "corpus")]
    limit_seconds: Option<u32>,
    /// Number of games of the corpus to verify at a time
    #[arg(long, default_value_t = 1, requires = "corpus")]
    threads: usize,
    /// Instead of verifying, write a trace of this many random playouts
    #[arg(long, value_name = "PLAYOUTS")]
    record: Option<u32>,
    /// Seed of the recorded moves
    #[arg(long, default_value_t = 1, requires = "record")]
    seed: u64,
    /// Number of steps after which a recorded playout is cut off
    #[arg(long, default_value_t = 200, requires = "record")]
    max_steps: u32,
}

/// Verifies traces, or records one.
///
/// # Errors
/// If a file cannot be read or written or an engine cannot run the game; games
/// of a corpus that fail are counted instead.
pub fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    if let Some(corpus) = &args.corpus {
        return verify_corpus(corpus, args);
    }
    let file = args.file.as_deref().context("no rule sheet given")?;
    let mut engine =
        gdl_engines::load(&input::read(file)?, args.engine, &EngineOptions::default())?;
    if let Some(playouts) = args.record {
        return record(engine.as_mut(), file, playouts, args);
    }
    let mut total = ReplayOutcome::default();
    for path in &args.traces {
        let outcome = replay(engine.as_mut(), path, None)?.outcome;
        if let (None, Some(mismatch)) = (&total.first, &outcome.first) {
            println!("{}: {mismatch}", path.display());
        }
        total.absorb(outcome);
    }
    Ok(conclude(&total, 0))
}

/// Prints the last line and returns the exit code.
fn conclude(total: &ReplayOutcome, failures: usize) -> ExitCode {
    println!(
        "verified {} states, {} mismatches",
        total.states, total.mismatches
    );
    ExitCode::from(u8::from(total.mismatches > 0 || failures > 0))
}

struct Replayed {
    outcome: ReplayOutcome,
    /// Whether the deadline passed before the trace ended.
    cut_short: bool,
}

fn replay(
    engine: &mut dyn Engine,
    path: &Path,
    deadline: Option<Instant>,
) -> anyhow::Result<Replayed> {
    let (header, records) = trace::records(path)?;
    let normalised =
        |roles: &[String]| -> Vec<String> { roles.iter().map(|role| normalise(role)).collect() };
    if normalised(&header.roles) != normalised(engine.roles()) {
        bail!(
            "{} has the roles {:?}, the game {:?}",
            path.display(),
            header.roles,
            engine.roles()
        );
    }
    let mut replay = Replay::new(engine);
    let mut cut_short = false;
    for record in records {
        cut_short = deadline.is_some_and(|deadline| Instant::now() > deadline);
        if cut_short {
            break;
        }
        replay.compare(&record?);
    }
    Ok(Replayed {
        outcome: replay.finish(),
        cut_short,
    })
}

/// Writes a trace to the only path given for traces.
fn record(
    engine: &mut dyn Engine,
    file: &Path,
    playouts: u32,
    args: &VerifyArgs,
) -> anyhow::Result<ExitCode> {
    let [path] = args.traces.as_slice() else {
        bail!("--record writes exactly one trace");
    };
    let game = input::stem(file);
    let recording = Recording {
        playouts,
        max_steps: args.max_steps,
        seed: args.seed,
    };
    let out = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    let mut out = BufWriter::new(out);
    trace::record(engine, &game, recording, &mut out)?;
    out.flush().context("cannot write the trace")?;
    Ok(ExitCode::SUCCESS)
}

/// The result of verifying one game of a corpus.
struct VerifiedGame {
    name: String,
    load: Duration,
    replay: Duration,
    result: anyhow::Result<Replayed>,
}

fn verify_corpus(corpus: &Path, args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let games = games_of(corpus, args.only.as_deref())?;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}")?;
    // Hides itself where standard error is not a terminal.
    let bar = ProgressBar::new(games.len() as u64).with_style(style);
    bar.suspend(|| {
        println!(
            "{:40} {:>7} {:>10} {:>8} {:>9}",
            "game", "states", "mismatches", "load s", "replay s"
        );
    });
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let reports: Vec<VerifiedGame> = pool.install(|| {
        let verify = |name: &String| {
            bar.set_message(name.clone());
            let report = verify_game(corpus, name, args);
            bar.suspend(|| print!("{report}"));
            bar.inc(1);
            report
        };
        games.par_iter().map(verify).collect()
    });
    bar.finish_and_clear();

    let mut total = ReplayOutcome::default();
    let mut failures = 0;
    for report in reports {
        match report.result {
            Ok(replayed) => total.absorb(replayed.outcome),
            Err(_) => failures += 1,
        }
    }
    println!("{} games, {failures} failed", games.len());
    Ok(conclude(&total, failures))
}

/// Returns the names of the games that have a trace.
fn games_of(corpus: &Path, only: Option<&str>) -> anyhow::Result<Vec<String>> {
    let directory = corpus.join("traces");
    let mut games = Vec::new();
    let entries =
        fs::read_dir(&directory).with_context(|| format!("cannot list {}", directory.display()))?;
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(game) = name.strip_suffix(".jsonl.gz")
            && only.is_none_or(|text| game.contains(text))
        {
            games.push(game.to_owned());
        }
    }
    games.sort_unstable();
    if games.is_empty() {
        bail!("no trace to verify in {}", directory.display());
    }
    Ok(games)
}

fn verify_game(corpus: &Path, name: &str, args: &VerifyArgs) -> VerifiedGame {
    let start = Instant::now();
    let game = corpus.join("games").join(name).with_added_extension("kif");
    let trace = corpus
        .join("traces")
        .join(name)
        .with_added_extension("jsonl.gz");
    let source = input::read(&game).map_err(LoadError::from);
    let engine = source
        .and_then(|source| gdl_engines::load(&source, args.engine, &EngineOptions::default()))
        .map_err(anyhow::Error::from);
    let load = start.elapsed();
    let deadline = args
        .limit_seconds
        .map(|seconds| start + load + Duration::from_secs(seconds.into()));
    let result = engine.and_then(|mut engine| replay(engine.as_mut(), &trace, deadline));
    VerifiedGame {
        name: name.to_owned(),
        load,
        replay: start.elapsed() - load,
        result,
    }
}

impl std::fmt::Display for VerifiedGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (load, replay) = (self.load.as_secs_f64(), self.replay.as_secs_f64());
        match &self.result {
            Ok(Replayed { outcome, cut_short }) => {
                let note = if *cut_short {
                    " stopped at the limit"
                } else {
                    ""
                };
                let ReplayOutcome {
                    states,
                    mismatches,
                    first,
                } = outcome;
                writeln!(
                    f,
                    "{:40} {states:7} {mismatches:10} {load:8.2} {replay:9.2}{note}",
                    self.name
                )?;
                first
                    .iter()
                    .try_for_each(|mismatch| writeln!(f, "  {mismatch}"))
            }
            Err(error) => writeln!(f, "{:40} failed after {load:.2} s: {error:#}", self.name),
        }
    }
}
