//! Measures set-up: from a rule sheet to an engine that is ready to play.
//!
//! `cargo bench --bench setup -- [--engine net|native] [--corpus DIR]
//! [--results FILE] [--sample N] [NAME…]` prints one line per game, then medians, 95th
//! percentiles and maxima. Each game is set up in its own process, so that its peak
//! memory can be measured. With `--results` each game is appended to a file, and an
//! interrupted sweep is resumed. `--sample N` takes every Nth game.

use anyhow::{Context as _, bail};
use clap::Parser;
use gdl_engines::input;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_testing::process::peak_mib;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the public corpus, if there is one.
const CORPUS: &str = "../shared/corpus";

#[derive(Parser)]
struct Args {
    /// The names of the games; by default all of the corpus.
    names: Vec<String>,
    /// The engine: net or native.
    #[arg(long, short, default_value = "net")]
    engine: EngineKind,
    /// A folder with a folder `games` of rule sheets; by default that of the public corpus.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Append one line of JSON per game to this file, and skip the games that it has.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Take only every Nth game.
    #[arg(long, default_value_t = 1, value_name = "N")]
    sample: usize,
    /// Set up one game in this process and print its record.
    #[arg(long, hide = true)]
    single: bool,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The cost of setting up a game.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    game: String,
    engine: String,
    /// Operations per step; absent for games that are not compiled.
    operations: Option<usize>,
    /// The stages in order, with the seconds that each took.
    stages: Vec<(String, f64)>,
    /// Seconds of processor time without rustc; on a busy machine more meaningful than
    /// wall-clock time.
    processor: f64,
    /// Peak memory of the process without rustc, in MiB.
    peak_mib: f64,
    /// Why the game could not be set up.
    error: Option<String>,
}

impl Record {
    fn seconds(&self) -> f64 {
        self.stages.iter().map(|(_, seconds)| seconds).sum()
    }

    fn of_stage(&self, name: &str) -> Option<f64> {
        let mut stages = self.stages.iter();
        stages.find_map(|(stage, seconds)| (stage == name).then_some(*seconds))
    }

    fn failed(game: &str, engine: EngineKind, error: String) -> Self {
        Self {
            game: game.to_owned(),
            engine: engine.to_string(),
            operations: None,
            stages: Vec::new(),
            processor: 0.0,
            peak_mib: 0.0,
            error: Some(error),
        }
    }
}

impl Args {
    fn corpus(&self) -> &Path {
        self.corpus.as_deref().unwrap_or(Path::new(CORPUS))
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if args.single {
        let name = args.names.first().context("which game?")?;
        let record = set_up(&rule_sheet(args.corpus(), name), name, args.engine)?;
        println!("{}", serde_json::to_string(&record)?);
        return Ok(());
    }
    if !args.bench {
        println!("not measured: cargo bench --bench setup does");
        return Ok(());
    }
    if args.corpus.is_none() && !args.corpus().is_dir() {
        eprintln!("skipped: there is no folder {CORPUS}");
        return Ok(());
    }
    sweep(&args)
}

fn rule_sheet(corpus: &Path, name: &str) -> PathBuf {
    corpus.join("games").join(format!("{name}.kif"))
}

fn set_up(file: &Path, name: &str, engine: EngineKind) -> anyhow::Result<Record> {
    let source = input::read(file)?;
    let loaded = gdl_engines::load_timed(&source, engine, &EngineOptions::default())?;
    let stages = loaded.setup.iter();
    Ok(Record {
        game: name.to_owned(),
        engine: engine.to_string(),
        operations: loaded.size.map(|size| size.operations),
        stages: stages
            .map(|&(name, time)| (name.to_owned(), time))
            .collect(),
        processor: processor_seconds(),
        peak_mib: peak_mib(),
        error: None,
    })
}

/// Seconds that this process ran on a processor, where the system reports it.
fn processor_seconds() -> f64 {
    let times = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = times.split_whitespace().next();
    nanoseconds.and_then(|ns| ns.parse().ok()).unwrap_or(0.0) / 1e9
}

/// Sets up each game in a child process and summarises.
fn sweep(args: &Args) -> anyhow::Result<()> {
    // An empty cache, so that nothing shortens the compiler's time.
    let cache = tempfile::tempdir()?;
    let mut records = Vec::new();
    let known = known(args)?;
    println!(
        "{:36} {:>9} {:>9} {:>9} {:>8}  stages, s",
        "game", "ops", "seconds", "CPU s", "MiB"
    );
    for name in names(args)? {
        let before = known.iter().find(|record| record.game == name);
        let record = match before {
            Some(record) => record.clone(),
            None => {
                let record = in_child(args, &name, cache.path())?;
                append(args, &record)?;
                record
            }
        };
        print(&record);
        records.push(record);
    }
    summarise(&records);
    Ok(())
}

/// The records of this engine in the results file.
fn known(args: &Args) -> anyhow::Result<Vec<Record>> {
    let Some(path) = args.results.as_ref().filter(|path| path.exists()) else {
        return Ok(Vec::new());
    };
    let records: Result<Vec<Record>, _> = fs::read_to_string(path)?
        .lines()
        .map(serde_json::from_str)
        .collect();
    let mut records = records.with_context(|| format!("{} is damaged", path.display()))?;
    records.retain(|record| record.engine == args.engine.to_string());
    Ok(records)
}

fn names(args: &Args) -> anyhow::Result<Vec<String>> {
    if !args.names.is_empty() {
        return Ok(args.names.clone());
    }
    let mut names = Vec::new();
    let games = args.corpus().join("games");
    let entries = fs::read_dir(&games).with_context(|| games.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            names.push(input::stem(&path));
        }
    }
    names.sort();
    Ok(names.into_iter().step_by(args.sample.max(1)).collect())
}

fn in_child(args: &Args, name: &str, cache: &Path) -> anyhow::Result<Record> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--single", "--engine", &args.engine.to_string(), name])
        .arg("--corpus")
        .arg(args.corpus())
        .env("GDL_CACHE", cache)
        .output()?;
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout)?);
    }
    let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if error.is_empty() {
        bail!("setting up {name} was stopped: {}", output.status);
    }
    Ok(Record::failed(name, args.engine, error))
}

fn append(args: &Args, record: &Record) -> anyhow::Result<()> {
    let Some(path) = &args.results else {
        return Ok(());
    };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{}", serde_json::to_string(record)?)?;
    Ok(())
}

fn print(record: &Record) {
    if let Some(error) = &record.error {
        let line = error.lines().next().unwrap_or_default();
        println!("{:36} {line}", record.game);
        return;
    }
    let operations = record.operations.unwrap_or(0);
    let stages = record.stages.iter();
    let stages: Vec<String> = stages.map(|(name, s)| format!("{name} {s:.3}")).collect();
    println!(
        "{:36} {operations:9} {:9.3} {:9.3} {:8.1}  {}",
        record.game,
        record.seconds(),
        record.processor,
        record.peak_mib,
        stages.join(", ")
    );
}

fn summarise(records: &[Record]) {
    let ready: Vec<&Record> = (records.iter())
        .filter(|record| record.error.is_none())
        .collect();
    println!("\n{} of {} games set up", ready.len(), records.len());
    let all = |figure: &dyn Fn(&Record) -> Option<f64>| {
        spread(ready.iter().filter_map(|record| figure(record)).collect())
    };
    let before_rustc = |record: &Record| record.seconds() - record.of_stage("rustc").unwrap_or(0.0);
    println!(
        "set-up without rustc, s: {}",
        all(&|record| Some(before_rustc(record)))
    );
    println!(
        "processor time, s:       {}",
        all(&|record| Some(record.processor))
    );
    println!(
        "rustc, s:                {}",
        all(&|record| record.of_stage("rustc"))
    );
    println!(
        "peak memory, MiB:        {}",
        all(&|record| Some(record.peak_mib))
    );
}

fn spread(mut values: Vec<f64>) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    format!(
        "median {:.3}, 95 % within {:.3}, at most {:.3}",
        at(0.5),
        at(0.95),
        at(1.0)
    )
}
