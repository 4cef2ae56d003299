//! The engines net and native at every level of instructions that this processor has:
//! `cargo bench --bench levels`, or with `-- --seconds 2` for each engine, and names of
//! games to choose some.
//!
//! Prints a table with a column per level: playouts per second of net on one thread, and
//! their ratio to those of native code with the same number of lanes. All engines of a game
//! take turns, so that other load on the machine slows them all alike.

use anyhow::{Context as _, ensure};
use clap::Parser;
use gdl_cli::commands::bench::parse_seconds;
use gdl_cli::measure::{self, Effort, Measurement};
use gdl_engines::{EngineKind, EngineOptions, input, load};
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdlc::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Measure net and native at every level of instructions
#[derive(Parser)]
struct Args {
    /// Games by name; all of `games` if none is given.
    names: Vec<String>,
    /// Seconds for each engine.
    #[arg(long, default_value = "1", value_parser = parse_seconds)]
    seconds: f64,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A column of the table: a level, and the lanes at which it is measured.
struct Column {
    level: CpuLevel,
    width: Width,
    /// For each game so far, the logarithm of the ratio of net to native.
    logarithms: Vec<f64>,
}

impl Column {
    fn load(&self, source: &Arc<Source>, kind: EngineKind) -> anyhow::Result<Box<dyn Engine>> {
        let options = EngineOptions {
            level: Some(self.level),
            width: Some(self.width),
            ..EngineOptions::default()
        };
        load(source, kind, &options).with_context(|| format!("{kind} at the level {}", self.level))
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if !args.bench {
        println!("not measured: cargo bench --bench levels does");
        return Ok(());
    }
    let sheets = sheets(&args.names)?;
    let mut columns = columns();
    let heads: Vec<String> = (columns.iter())
        .map(|column| format!("{}, {} lanes | to native", column.level, column.width))
        .collect();
    println!("| game | {} |", heads.join(" | "));
    println!("|---|{}", "---:|---:|".repeat(columns.len()));
    for sheet in sheets {
        compare(&sheet, &mut columns, args.seconds).with_context(|| sheet.display().to_string())?;
    }
    let means: Vec<String> = (columns.iter())
        .map(|column| format!("| {:.2} ×", geometric_mean(&column.logarithms)))
        .collect();
    println!("| geometric mean | {} |", means.join(" | "));
    Ok(())
}

/// The levels of this processor, the highest first, each at its widest; portable code also
/// at 128 lanes.
fn columns() -> Vec<Column> {
    let levels = CpuLevel::ALL
        .into_iter()
        .rev()
        .filter(|level| level.available());
    let mut columns: Vec<(CpuLevel, Width)> = levels.map(|level| (level, level.widest())).collect();
    columns.push((CpuLevel::Portable, Width::Portable128));
    let columns = columns.into_iter().map(|(level, width)| Column {
        level,
        width,
        logarithms: Vec::new(),
    });
    columns.collect()
}

/// The rule sheets of these names, or all, sorted.
fn sheets(names: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let mut sheets = Vec::new();
    for entry in std::fs::read_dir("games")? {
        let path = entry?.path();
        let is_sheet = path.extension().is_some_and(|extension| extension == "kif");
        let is_chosen = names.is_empty() || names.iter().any(|name| *name == input::stem(&path));
        if is_sheet && is_chosen {
            sheets.push(path);
        }
    }
    for name in names {
        let is_there = sheets.iter().any(|sheet| *name == input::stem(sheet));
        ensure!(is_there, "there is no game {name} in games");
    }
    sheets.sort();
    Ok(sheets)
}

/// Measures a game and prints its line.
fn compare(sheet: &Path, columns: &mut [Column], seconds: f64) -> anyhow::Result<()> {
    let effort = Effort {
        seconds,
        threads: 1,
        seed: 1,
    };
    let source = input::read(sheet)?;
    let mut contestants = Vec::new();
    for column in &*columns {
        for kind in [EngineKind::Net, EngineKind::Native] {
            let engine = column.load(&source, kind)?;
            contestants.push(measure::runners_per_thread(engine.as_ref(), &effort));
        }
    }
    let measured = measure::take_turns(contestants, seconds, |_| ());
    let speeds: Vec<f64> = (measured.iter())
        .map(Measurement::playouts_per_second)
        .collect();
    print!("| {} |", input::stem(sheet));
    for (column, speeds) in columns.iter_mut().zip(speeds.chunks(2)) {
        let ratio = speeds[0] / speeds[1];
        column.logarithms.push(ratio.ln());
        print!(" {} | {ratio:.2} × |", shown(speeds[0]));
    }
    println!();
    Ok(())
}

/// A speed with three digits.
fn shown(speed: f64) -> String {
    let (value, unit) = match speed {
        1e6.. => (speed / 1e6, " M"),
        1e4.. => (speed / 1e3, " k"),
        _ => (speed, ""),
    };
    let decimals = match value {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    format!("{value:.decimals$}{unit}")
}

fn geometric_mean(logarithms: &[f64]) -> f64 {
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}
