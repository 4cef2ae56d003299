//! Writes the figures of docs/performance.md and README.md: `cargo bench --bench performance`.
//!
//! Every game is measured in a process of its own and compiled anew, and what is
//! known is kept at once: an interrupted run goes on where it stopped, as long as
//! the program is the same. The text
//! around the figures is written by people and left alone.
//!
//! `-- --seconds 2` measures each engine for so long, `-- NAME…` only the games of
//! these names, without writing the document, `-- --again` forgets what is known.

mod document;
#[path = "../handwritten/mod.rs"]
mod handwritten;
mod ledger;
mod machine;
mod measure;
mod record;
mod subjects;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use ledger::Ledger;
use record::Outcome;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use subjects::subjects;
use tempfile::TempDir;

const DOCUMENT: &str = "docs/performance.md";

/// Where the figures of our own games stand in short.
const README: &str = "README.md";

/// A game to compile first: what all games share is compiled with it.
const SMALLEST: &str = "(role r) (init a) (legal r m) (<= (next b) (true a)) (<= terminal (true b))
    (goal r 0)";

/// What the command line asks for.
struct Arguments {
    /// For each engine and game.
    seconds: f64,
    /// Whether to measure what is known already.
    again: bool,
    /// The rule sheet to be measured by this very process.
    measure: Option<String>,
    /// Games; all if none.
    names: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    // `cargo test` runs benchmarks too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("not measured: cargo bench --bench performance does");
        return Ok(());
    }
    let arguments = arguments()?;
    match &arguments.measure {
        Some(sheet) => {
            let figures = measure::measure(Path::new(sheet), arguments.seconds)?;
            println!("{}", serde_json::to_string(&figures)?);
            Ok(())
        }
        None => measure_all(&arguments),
    }
}

fn arguments() -> anyhow::Result<Arguments> {
    let mut found = Arguments {
        seconds: 1.0,
        again: false,
        measure: None,
        names: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--again" => found.again = true,
            "--measure" => found.measure = arguments.next(),
            "--seconds" => {
                let seconds = arguments.next().and_then(|value| value.parse().ok());
                found.seconds = seconds
                    .filter(|seconds| (0.0..=1e6).contains(seconds))
                    .context("--seconds takes a number")?;
            }
            name if !name.starts_with('-') => found.names.push(name.to_owned()),
            other => bail!("{other}: there are --seconds, --again and names of games"),
        }
    }
    Ok(found)
}

/// Measures what is not known yet and writes the document.
fn measure_all(arguments: &Arguments) -> anyhow::Result<()> {
    let mut sheets = subjects()?;
    if !arguments.names.is_empty() {
        sheets.retain(|sheet| {
            arguments
                .names
                .iter()
                .any(|name| name == record::name_of(sheet))
        });
    }
    let mut ledger = Ledger::open(arguments.seconds, arguments.again)?;
    let progress = ProgressBar::new(sheets.len() as u64).with_style(ProgressStyle::with_template(
        "{bar:30} {elapsed} {wide_msg}",
    )?);
    progress.enable_steady_tick(Duration::from_millis(500));
    let mut records = Vec::new();
    let cache = prepare_cache()?;
    for sheet in &sheets {
        progress.set_message(sheet.clone());
        let record = match ledger.find(sheet) {
            Some(known) => known,
            None => {
                let outcome = measure_apart(sheet, arguments.seconds, cache.path())?;
                ledger.keep(sheet, outcome)?
            }
        };
        progress.suspend(|| println!("{}", document::line(&record)));
        records.push(record);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let figures = document::figures(&records, arguments.seconds)?;
    if arguments.names.is_empty() {
        document::write(Path::new(DOCUMENT), &figures)?;
        document::write(Path::new(README), &document::own_games(&records)?)
    } else {
        print!("{figures}");
        Ok(())
    }
}

/// A folder for compiled games in which there are none yet.
fn prepare_cache() -> anyhow::Result<TempDir> {
    let cache = tempfile::tempdir()?;
    let sheet = cache.path().join("smallest.kif");
    std::fs::write(&sheet, SMALLEST)?;
    measure_apart(&sheet.display().to_string(), 0.0, cache.path())?;
    Ok(cache)
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
        return Ok(Outcome::Failed { error });
    }
    Ok(Outcome::Measured(serde_json::from_slice(&output.stdout)?))
}
