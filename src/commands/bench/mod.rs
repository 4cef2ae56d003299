//! `gdl bench`: measures engines by random playouts.

mod log;
mod output;
mod peers;
mod report;

use crate::measure::{self, Effort};
use anyhow::{Context as _, bail};
use gdl_agent::agents::{Agent, AgentTextError};
use gdl_engines::digest::sha256_hex;
use gdl_engines::input::{self, ReadRulesError};
use gdl_engines::{EngineKind, EngineOptions, LoadError, LoadedEngine};
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdlc::source::Source;
use indicatif::{ProgressBar, ProgressStyle};
use log::Log;
use output::BenchRow;
pub use peers::{Peer, Peers};
use report::{BenchOutcome, BenchReport, BenchSettings, BenchSubject, Figures, TreeFigures};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Measure engines by uniformly random playouts
///
/// Prints playouts and states per second, the average length and the mean goals with
/// their standard errors, and the set-up time by stage. Several engines take turns, so
/// that their ratios hold on a busy machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl bench games/othello.kif
  gdl bench games/*.kif --engine native,net --seconds 2
  gdl bench hex.kif --engine net --width 64 --threads 2 --json | jq .playouts_per_second
  gdl bench *.kif --results results.jsonl            continues where it was interrupted
  gdl bench reversi.kif --engine native --peers peers.csv
  gdl bench games/hex.kif --engine native --tree     what the tree search costs
  gdl bench games/hex.kif --engine net --tree=uct+mast   and that of another agent
  GDL_CPU=avx2 gdl bench games/hex.kif   as on a processor without AVX-512

GDL_CPU is the highest instruction-set level that net and native use: avx512 (512 lanes),
avx2 (256), sse2 (128) or portable (net 256 from tables, native 64); by default all that
the processor has.

Exit code 1 if a requested engine cannot run a game, or a rule sheet cannot be read.")]
pub struct BenchArgs {
    /// The rule sheets
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The engines, separated by commas or in separate options; by default all, and then an
    /// engine that cannot run a game is not a failure
    #[arg(long, short, value_delimiter = ',')]
    engine: Vec<EngineKind>,
    /// Lanes per word of net and native: 64, 128, 256 or 512; by default the widest of the
    /// processor's level
    #[arg(long, value_parser = parse_width)]
    width: Option<Width>,
    /// Compare with the other engines in this file of comma-separated values (columns
    /// engine, game, playouts_per_s, states_per_s, average_length and mean_goals, the
    /// last with semicolons between roles)
    ///
    /// Means agree if they differ by less than 5 standard errors plus the rounding of the
    /// file. The standard errors of both sides count; those of the other engine are
    /// estimated from the number of its playouts and the variance of our games.
    #[arg(long, value_name = "FILE")]
    peers: Option<PathBuf>,
    /// The number of seconds for which each of the peers was measured
    #[arg(long, value_name = "SECONDS", default_value = "5", requires = "peers",
          value_parser = parse_seconds)]
    peer_seconds: f64,
    /// Also measure the tree search of an agent (by default uct) for the same time,
    /// alternating with playouts on the same thread: simulations per second, and their ratio to
    /// plain playouts. The agent must not learn, and its search has to be one tree on one thread
    #[arg(long, value_name = "AGENT", num_args = 0..=1, require_equals = true,
          default_missing_value = "uct", value_parser = parse_tree_agent)]
    tree: Option<Agent>,
    /// Append every result to this file as a line of JSON, and reuse the results that it
    /// holds, except for failures
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    #[command(flatten)]
    measuring: MeasurementOptions,
}

/// How to measure and what to print, independent of how the engine is loaded.
#[derive(Debug, Clone, clap::Args)]
pub struct MeasurementOptions {
    /// Seconds per engine and game, without set-up
    #[arg(long, short, default_value = "5", value_parser = parse_seconds)]
    seconds: f64,
    /// Number of threads
    #[arg(long, default_value_t = 1, value_parser = parse_threads)]
    threads: usize,
    /// Seed of the moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value_t = BenchFormat::Table)]
    format: BenchFormat,
    /// Print a JSON object, or an array of several (as --format json)
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum BenchFormat {
    /// One table per game
    Table,
    /// A JSON object, or an array of several
    Json,
    /// key=value lines for one engine on one game, as read by gdl-perf
    GdlPerf,
}

fn parse_width(text: &str) -> Result<Width, String> {
    let level = CpuLevel::of_processor();
    let width = level.widths().find(|width| width.to_string() == text);
    width.ok_or_else(|| {
        let mut widths: Vec<String> = level.widths().map(|width| width.to_string()).collect();
        widths.reverse();
        format!(
            "there are the widths {} at the level {level}",
            widths.join(", ")
        )
    })
}

/// Parses an agent whose search is no more than one tree, which is what is measured.
fn parse_tree_agent(text: &str) -> Result<Agent, String> {
    let agent: Agent = text
        .parse()
        .map_err(|error: AgentTextError| error.to_string())?;
    let problem = "it has to search one tree on one thread, and must not learn";
    (agent.searches_one_tree().then_some(agent)).ok_or_else(|| problem.to_owned())
}

/// Parses a number of seconds to measure for.
///
/// # Errors
/// A description of what is expected, if the text is not such a number.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number above 0, of at most a million".to_owned()),
    }
}

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("a number from 1 to 1024".to_owned()),
    }
}

impl MeasurementOptions {
    fn effort(&self) -> Effort {
        Effort {
            seconds: self.seconds,
            threads: self.threads,
            seed: self.seed,
        }
    }

    fn format(&self) -> BenchFormat {
        if self.json {
            BenchFormat::Json
        } else {
            self.format
        }
    }
}

/// Measures, and prints the results.
///
/// # Errors
/// If the file of peers or of results cannot be used. An engine that cannot be loaded is
/// reported as a result.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let format = args.measuring.format();
    let peers = (args.peers.as_deref())
        .map(|path| Peers::read(path, args.peer_seconds))
        .transpose()?;
    let mut bench = BenchRun::new(args)?;
    if format == BenchFormat::GdlPerf && (args.files.len(), bench.engines.len()) != (1, 1) {
        bail!("--format gdl-perf reports one --engine on one game");
    }
    let mut games = Vec::new();
    for file in &args.files {
        let rows = output::rows(bench.game(file)?, peers.as_ref());
        if format == BenchFormat::Table {
            let best = (peers.as_ref().zip(rows.first()))
                .and_then(|(peers, row)| peers.of(&row.report.subject.game).into_iter().next());
            let text = output::game(&rows, best);
            bench.progress.suspend(|| println!("{text}"));
        }
        games.push(rows);
    }
    bench.progress.finish_and_clear();
    let strict = !args.engine.is_empty();
    let failed = games.iter().any(|rows| has_failed(rows, strict));
    print_rest(format, &games)?;
    Ok(ExitCode::from(u8::from(failed)))
}

/// Measures an engine that is already loaded, and prints the result.
///
/// # Errors
/// If the result cannot be printed.
pub fn run_loaded(
    game: &str,
    engine: &str,
    loaded: LoadedEngine,
    measuring: &MeasurementOptions,
) -> anyhow::Result<ExitCode> {
    let settings = BenchSettings {
        effort: measuring.effort(),
        level: CpuLevel::of_processor().name().to_owned(),
        width: None,
        tree: None,
    };
    let subject = BenchSubject::new(Path::new(game), engine.to_owned(), settings.clone());
    let reports = measure_all(vec![(subject, loaded)], &settings, |_| {});
    let rows = output::rows(reports, None);
    if measuring.format() == BenchFormat::Table {
        print!("{}", output::game(&rows, None));
    }
    print_rest(measuring.format(), &[rows])?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what depends on the results of all games.
fn print_rest(format: BenchFormat, games: &[Vec<BenchRow>]) -> anyhow::Result<()> {
    match format {
        BenchFormat::Table => print!("{}", output::summary(games)),
        BenchFormat::Json => println!("{}", output::json(&games.concat())?),
        BenchFormat::GdlPerf => {
            for row in games.iter().flatten() {
                print!("{}", output::gdl_perf(&row.report));
            }
        }
    }
    Ok(())
}

/// Whether a game counts as failed: if any engine failed (`strict`, where engines were
/// named), or if all did.
fn has_failed(rows: &[BenchRow], strict: bool) -> bool {
    let failures = (rows.iter())
        .filter(|row| row.report.figures().is_none())
        .count();
    failures > 0 && (strict || failures == rows.len())
}

/// Measures several engines of one game in turns.
fn measure_all(
    subjects: Vec<(BenchSubject, LoadedEngine)>,
    settings: &BenchSettings,
    turn_over: impl FnMut(usize),
) -> Vec<BenchReport> {
    let engines: Vec<&dyn Engine> = (subjects.iter())
        .map(|(_, loaded)| loaded.engine.as_ref())
        .collect();
    let measurements = measure::measure(&engines, &settings.effort, turn_over);
    let figures: Vec<Figures> = (subjects.iter().zip(&measurements))
        .map(|((_, loaded), measurement)| Figures {
            tree: (settings.tree.as_deref())
                .map(|agent| tree_figures(loaded, agent, &settings.effort)),
            ..Figures::new(loaded, measurement)
        })
        .collect();
    (subjects.into_iter().zip(figures))
        .map(|((subject, _), figures)| BenchReport {
            subject,
            outcome: BenchOutcome::Measured(Box::new(figures)),
        })
        .collect()
}

fn tree_figures(loaded: &LoadedEngine, agent: &str, effort: &Effort) -> TreeFigures {
    // The text was written by an agent, so it can be parsed.
    let agent = agent.parse().unwrap_or_default();
    let engine = loaded.engine.as_ref();
    TreeFigures::new(&measure::measure_tree(engine, &agent, effort))
}

/// A benchmark run over several games.
struct BenchRun {
    engines: Vec<EngineKind>,
    options: EngineOptions,
    settings: BenchSettings,
    log: Option<Log>,
    progress: ProgressBar,
}

impl BenchRun {
    fn new(args: &BenchArgs) -> anyhow::Result<Self> {
        let mut engines = args.engine.clone();
        if engines.is_empty() {
            engines = EngineKind::ALL.iter().rev().copied().collect();
        }
        let mut seen = BTreeSet::new();
        engines.retain(|engine| seen.insert(*engine));
        let steps = measure::turns(engines.len()) as usize + 1;
        let steps = args.files.len() * engines.len() * steps;
        let style = ProgressStyle::with_template("{bar:30} {elapsed} {wide_msg}")?;
        // Hides itself where standard error is not a terminal.
        let progress = ProgressBar::new(steps as u64).with_style(style);
        progress.enable_steady_tick(Duration::from_millis(500));
        Ok(Self {
            engines,
            options: EngineOptions {
                width: args.width,
                ..EngineOptions::default()
            },
            settings: BenchSettings {
                effort: args.measuring.effort(),
                level: CpuLevel::of_processor().name().to_owned(),
                width: args.width.map(Width::lanes),
                tree: args.tree.as_ref().map(ToString::to_string),
            },
            log: args.results.as_deref().map(Log::open).transpose()?,
            progress,
        })
    }

    /// Returns the results of one game, one per engine.
    fn game(&mut self, file: &Path) -> anyhow::Result<Vec<BenchReport>> {
        let source = input::read(file);
        let rules = source.as_ref().ok().map(|source| sha256_hex(&source.text));
        let mut reports: Vec<BenchReport> = Vec::new();
        let mut loaded = Vec::new();
        for engine in self.engines.clone() {
            let subject = BenchSubject {
                rules: rules.clone(),
                ..BenchSubject::new(file, engine.to_string(), self.settings.clone())
            };
            if let Some(known) = self.log.as_ref().and_then(|log| log.find(&subject)) {
                reports.push(known.clone());
                continue;
            }
            self.progress
                .set_message(format!("{}: loading {engine}", subject.game));
            match self.load(&source, engine) {
                Ok(engine) => loaded.push((subject, engine)),
                Err(error) => {
                    let outcome = BenchOutcome::Failed { error };
                    let report = BenchReport { subject, outcome };
                    self.keep(&report)?;
                    reports.push(report);
                }
            }
            self.progress.inc(1);
        }
        for report in self.measure(loaded) {
            self.keep(&report)?;
            reports.push(report);
        }
        let place = |report: &BenchReport| {
            let name = &report.subject.engine;
            self.engines
                .iter()
                .position(|kind| kind.to_string() == *name)
        };
        reports.sort_by_key(place);
        Ok(reports)
    }

    /// Loads an engine, or returns why it cannot be loaded.
    fn load(
        &self,
        source: &Result<Arc<Source>, ReadRulesError>,
        engine: EngineKind,
    ) -> Result<LoadedEngine, String> {
        let source = source.as_ref().map_err(ToString::to_string)?;
        gdl_engines::load_timed(source, engine, &self.options).map_err(|error| match error {
            LoadError::Invalid(_) => {
                format!("the rules have errors: see gdl check {}", source.name)
            }
            error => error.to_string(),
        })
    }

    fn measure(&self, loaded: Vec<(BenchSubject, LoadedEngine)>) -> Vec<BenchReport> {
        if let Some((subject, _)) = loaded.first() {
            self.progress
                .set_message(format!("{}: playing", subject.game));
        }
        measure_all(loaded, &self.settings, |_| self.progress.inc(1))
    }

    fn keep(&mut self, report: &BenchReport) -> anyhow::Result<()> {
        match &mut self.log {
            Some(log) => log.append(report).context("a result was not saved"),
            None => Ok(()),
        }
    }
}
