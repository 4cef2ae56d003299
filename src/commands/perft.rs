//! `gdl perft`: counts the move sequences of a game.

use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, State};
use gdl_runtime::perft;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Count the move sequences of a game by length
///
/// Perft of depth d is the number of sequences of exactly d joint moves; games that end
/// earlier do not count. A role that is not to move makes its only legal move.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl perft games/othello.kif 6
  gdl perft games/othello.kif 4 --engine reference
  gdl perft games/hex.kif 3 --divide                one count per first move
  gdl perft games/tron.kif 4 --json | jq .counts")]
pub struct PerftArgs {
    /// The rule sheet, or the name of a game that is built in
    file: PathBuf,
    /// The engine that makes the moves
    #[arg(long, short, default_value_t = EngineKind::Net)]
    engine: EngineKind,
    #[command(flatten)]
    counting: PerftOptions,
}

/// What is counted and how it is printed.
#[derive(Debug, Clone, clap::Args)]
pub struct PerftOptions {
    /// Maximum length of the sequences
    depth: u8,
    /// Also count the sequences that begin with each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct PerftReport {
    game: String,
    engine: String,
    counts: Vec<DepthCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<RootMove>>,
}

/// The count of one length.
#[derive(Debug, Serialize)]
struct DepthCount {
    depth: u8,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

/// The count of one first move.
#[derive(Debug, Serialize)]
struct RootMove {
    moves: Vec<String>,
    nodes: u64,
}

/// Loads a game and counts.
///
/// # Errors
/// If the game cannot be loaded into the engine.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let mut engine = gdl_engines::open(&args.file, args.engine, &EngineOptions::default())?.engine;
    let name = args.file.display().to_string();
    count(&name, engine.as_mut(), &args.counting)
}

/// Counts and prints.
///
/// # Errors
/// If the report cannot be printed.
pub fn count(game: &str, engine: &mut dyn Engine, args: &PerftOptions) -> anyhow::Result<ExitCode> {
    let initial = engine.initial();
    let mut report = PerftReport {
        game: game.to_owned(),
        engine: engine.name(),
        counts: Vec::new(),
        divide: None,
    };
    for depth in 1..=args.depth {
        let count = time(engine, &initial, depth);
        if !args.json {
            print_count(&count);
        }
        report.counts.push(count);
    }
    if args.divide {
        let parts = divide(engine, &initial, args.depth);
        if !args.json {
            parts.iter().for_each(print_root_move);
        }
        report.divide = Some(parts);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn time(engine: &mut dyn Engine, state: &State, depth: u8) -> DepthCount {
    let start = Instant::now();
    let nodes = perft::count(engine, state, depth);
    let seconds = start.elapsed().as_secs_f64();
    DepthCount {
        depth,
        nodes,
        seconds,
        nodes_per_second: nodes as f64 / seconds.max(1e-9),
    }
}

fn divide(engine: &mut dyn Engine, state: &State, depth: u8) -> Vec<RootMove> {
    let parts = perft::divide(engine, state, depth);
    let name = |(role, &mv): (usize, &Move)| engine.move_name(role, mv);
    parts
        .into_iter()
        .map(|(joint, nodes)| RootMove {
            moves: joint.iter().enumerate().map(name).collect(),
            nodes,
        })
        .collect()
}

fn print_count(count: &DepthCount) {
    println!(
        "depth {:>3}  {:>16} nodes  {:>9.3} s  {:>12.0} nodes/s",
        count.depth, count.nodes, count.seconds, count.nodes_per_second
    );
}

fn print_root_move(part: &RootMove) {
    println!("{:>16}  {}", part.nodes, part.moves.join(" "));
}
