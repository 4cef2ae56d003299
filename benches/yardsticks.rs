//! Generated engines beside hand-written ones of the same games:
//! `cargo bench --bench yardsticks`, or with `-- --seconds 2` for each engine, and
//! names of games to choose some.
//!
//! Prints `yardstick GAME native=… net=… handwritten=… ratio=…`, playouts per second
//! on one thread; the ratio is native over hand-written. All engines of a game
//! take turns, so that other load on the machine slows them all alike.

mod handwritten;

use anyhow::{Context as _, ensure};
use clap::Parser;
use gdl_cli::commands::bench::parse_seconds;
use gdl_cli::measure::{self, Effort, Measurement};
use gdl_engines::input;
use gdl_engines::{EngineKind, EngineOptions};
use handwritten::{Yardstick, yardsticks};
use std::path::Path;

/// Measure generated engines beside hand-written ones
#[derive(Parser)]
struct Args {
    /// Yardsticks by name; all if none is given.
    names: Vec<String>,
    /// Seconds for each engine.
    #[arg(long, default_value = "4", value_parser = parse_seconds)]
    seconds: f64,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if !args.bench {
        println!("not measured: cargo bench --bench yardsticks does");
        return Ok(());
    }
    for name in &args.names {
        let is_there = yardsticks().iter().any(|yardstick| name == yardstick.name);
        ensure!(is_there, "there is no yardstick {name}");
    }
    let chosen = |yardstick: &Yardstick| {
        args.names.is_empty() || args.names.iter().any(|name| name == yardstick.name)
    };
    let yardsticks: Vec<Yardstick> = yardsticks().into_iter().filter(chosen).collect();
    for game in yardsticks.chunk_by(|one, other| one.sheet == other.sheet) {
        if Path::new(game[0].sheet).exists() {
            compare(game, args.seconds).with_context(|| game[0].sheet.to_owned())?;
        } else {
            eprintln!("not measured: there is no {}", game[0].sheet);
        }
    }
    Ok(())
}

/// Measures the hand-written engines of one rule sheet beside the generated ones.
fn compare(yardsticks: &[Yardstick], seconds: f64) -> anyhow::Result<()> {
    let effort = Effort {
        seconds,
        threads: 1,
        seed: 1,
    };
    let source = input::read(Path::new(yardsticks[0].sheet))?;
    let mut contestants = Vec::new();
    for kind in [EngineKind::Native, EngineKind::Net] {
        let engine = gdl_engines::load(&source, kind, &EngineOptions::default())?;
        contestants.push(measure::runners_per_thread(engine.as_ref(), &effort));
    }
    let mut measurable = Vec::new();
    for yardstick in yardsticks {
        if let Some(player) = (yardstick.player)(effort.seed) {
            contestants.push(vec![player]);
            measurable.push(yardstick);
        } else {
            eprintln!("not measured: this processor cannot run {}", yardstick.name);
        }
    }
    let measured = measure::take_turns(contestants, seconds, |_| ());
    let speeds: Vec<f64> = (measured.iter())
        .map(Measurement::playouts_per_second)
        .collect();
    for (yardstick, handwritten) in measurable.iter().zip(&speeds[2..]) {
        let (name, native, net) = (yardstick.name, speeds[0], speeds[1]);
        let ratio = native / handwritten;
        println!(
            "yardstick {name} native={native:.0} net={net:.0} \
             handwritten={handwritten:.0} ratio={ratio:.2}"
        );
    }
    Ok(())
}
