//! Writes the figures of docs/performance.md and README.md: `cargo bench --bench performance`.
//!
//! Every game is compiled anew and measured in a process of its own, and its record is
//! kept at once: an interrupted run continues where it stopped unless the program has
//! been rebuilt. The text around the figures is written by hand and left alone.
//!
//! `-- --seconds 2` measures each engine for two seconds, `-- NAME…` measures only the
//! games of these names, without writing the documents, and `-- --again` ignores earlier
//! records.

mod ceiling;
mod document;
#[path = "../handwritten/mod.rs"]
mod handwritten;
mod ledger;
mod machine;
mod measure;
mod record;
mod subjects;

use anyhow::{anyhow, bail, ensure};
use clap::Parser;
use gdl_cli::commands::bench::parse_seconds;
use indicatif::{ProgressBar, ProgressStyle};
use ledger::Ledger;
use record::Outcome;
use std::cell::LazyCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use subjects::subjects;
use tempfile::TempDir;

const DOCUMENT: &str = "docs/performance.md";

/// The document with a short table of our own games.
const README: &str = "README.md";

/// A game that is compiled first, together with what all games share.
const SMALLEST: &str = "(role r) (init a) (legal r m) (<= (next b) (true a)) (<= terminal (true b))
    (goal r 0)";

/// Write the figures of docs/performance.md and README.md
#[derive(Parser)]
struct Args {
    /// Measure and print only these games; without names, measure all and write.
    names: Vec<String>,
    /// Seconds for each engine and game.
    #[arg(long, default_value = "1", value_parser = parse_seconds)]
    seconds: f64,
    /// Measure again what has been measured already.
    #[arg(long)]
    again: bool,
    /// Measure this rule sheet in this process.
    #[arg(long, hide = true)]
    measure: Option<PathBuf>,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    match &args.measure {
        _ if !args.bench => println!("not measured: cargo bench --bench performance does"),
        Some(sheet) => {
            let figures = measure::measure(sheet, args.seconds)?;
            println!("{}", serde_json::to_string(&figures)?);
        }
        None => measure_all(&args)?,
    }
    Ok(())
}

/// Measures the games without a record, and writes the documents.
fn measure_all(args: &Args) -> anyhow::Result<()> {
    let mut sheets = subjects()?;
    for name in &args.names {
        let is_there = sheets.iter().any(|sheet| name == record::name_of(sheet));
        ensure!(is_there, "there is no game {name}");
    }
    if !args.names.is_empty() {
        sheets.retain(|sheet| args.names.iter().any(|name| name == record::name_of(sheet)));
    }
    let mut ledger = Ledger::open(args.seconds, args.again)?;
    let progress = ProgressBar::new(sheets.len() as u64).with_style(ProgressStyle::with_template(
        "{bar:30} {elapsed} {wide_msg}",
    )?);
    progress.enable_steady_tick(Duration::from_millis(500));
    let mut records = Vec::new();
    let cache = LazyCell::new(prepare_cache);
    for sheet in &sheets {
        progress.set_message(sheet.clone());
        let record = match ledger.find(sheet) {
            Some(known) => known,
            None => {
                let cache = cache.as_ref().map_err(|error| anyhow!("{error:#}"))?;
                let outcome = measure_apart(sheet, args.seconds, cache.path())?;
                ledger.keep(sheet, outcome)?
            }
        };
        progress.suspend(|| println!("{}", document::line(&record)));
        records.push(record);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let figures = document::figures(&records, args.seconds, &ceiling::ceilings()?);
    if args.names.is_empty() {
        document::write(Path::new(DOCUMENT), &figures)?;
        document::write(Path::new(README), &document::own_games(&records))
    } else {
        print!("{figures}");
        Ok(())
    }
}

/// A new cache of compiled games, with little more in it than what all games share.
fn prepare_cache() -> anyhow::Result<TempDir> {
    let cache = tempfile::tempdir()?;
    let sheet = cache.path().join("smallest.kif");
    std::fs::write(&sheet, SMALLEST)?;
    match measure_apart(&sheet.display().to_string(), 0.01, cache.path())? {
        Outcome::Measured(_) => Ok(cache),
        Outcome::Failed { error } => bail!("cannot measure the smallest game: {error}"),
    }
}

/// Measures a game in a process of its own.
fn measure_apart(sheet: &str, seconds: f64, cache: &Path) -> anyhow::Result<Outcome> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--bench", "--seconds", &seconds.to_string()])
        .args(["--measure", sheet])
        .env("GDL_CACHE", cache)
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        // It was killed, which need not happen again: nothing is kept.
        ensure!(
            !error.is_empty(),
            "measuring {sheet} was stopped: {}",
            output.status
        );
        return Ok(Outcome::Failed { error });
    }
    Ok(Outcome::Measured(serde_json::from_slice(&output.stdout)?))
}
