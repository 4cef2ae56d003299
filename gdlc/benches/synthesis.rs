//! The size of our logic against that of Berkeley ABC, the open yardstick of
//! logic synthesis.
//!
//! For each game the net as assembled goes to ABC as AIGER, with the legal moves
//! and the next fluents as outputs; ABC's smallest cover by three-input luts
//! is compared with ours, of the same outputs over the same inputs. Whole plans,
//! with the selection of moves, terminal and goals, are printed for reference.
//!
//! `cargo bench --bench synthesis [-- GAME…]`; games are files, or names in the
//! public collection beside the project, for which our own games stand in where
//! it is absent. Needs `berkeley-abc` (Debian's name) or `abc` on the path, and
//! says so where there is none.

use gdlc::compile::{CompileOptions, compile};
use gdlc::ground::{GroundingBudget, ground};
use gdlc::plan::rule_operations;
use gdlc::propnet::{Aiger, Propnet, Signal, assemble};
use gdlc::rules::{self, Program};
use gdlc::source::Source;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const COLLECTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus/games");

const PUBLIC: &[&str] = &[
    "breakthrough",
    "connectFour",
    "reversi",
    "checkers",
    "knightThrough",
    "connect5",
    "dotsAndBoxes",
    "rubiksCube",
    "sudokuGrade1",
    "ttcc4",
];

/// What ABC does with a net: latches are cut into inputs and outputs first.
const SCRIPT: &str = "strash; fraig; dc2; dc2; dch; if -K 3 -a; print_stats";

fn main() {
    let named = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let mut games: Vec<PathBuf> = named.map(|name| path_of(&name)).collect();
    if games.is_empty() {
        games = default_games();
    }
    let abc = ["berkeley-abc", "abc"]
        .into_iter()
        .find(|name| Command::new(name).arg("-h").output().is_ok());
    if abc.is_none() {
        println!("SKIPPED: neither berkeley-abc nor abc is on the path; ours alone");
    }
    println!(
        "{:16} {:>8} {:>8} {:>7} {:>10} {:>8} {:>8}",
        "game", "ours", "abc", "ratio", "whole plan", "ours s", "abc s"
    );
    let ratios: Vec<f64> = games.iter().filter_map(|game| compare(game, abc)).collect();
    if !ratios.is_empty() {
        let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        println!(
            "geometric mean of {} games: {:.3}",
            ratios.len(),
            mean.exp()
        );
    }
}

fn default_games() -> Vec<PathBuf> {
    if Path::new(COLLECTION).is_dir() {
        return PUBLIC.iter().map(|name| path_of(name)).collect();
    }
    println!("{COLLECTION} is absent: our own games");
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let entries = ours.read_dir().expect("our games are beside the crate");
    let mut games: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    games.sort();
    games
}

fn path_of(name: &str) -> PathBuf {
    let path = Path::new(name);
    if path.extension().is_some() {
        return path.to_owned();
    }
    Path::new(COLLECTION).join(name).with_extension("kif")
}

/// Prints one game's line; the ratio if ABC answered.
fn compare(game: &Path, abc: Option<&str>) -> Option<f64> {
    let name = game.file_stem()?.to_string_lossy();
    let Some(program) = read(game) else {
        println!("{name}: cannot be read");
        return None;
    };
    let start = Instant::now();
    let compilation = compile(&program, &CompileOptions::default()).expect("within the budget");
    let our_seconds = start.elapsed().as_secs_f64();
    let ours = rule_operations(&compilation.propnet);
    let whole = compilation.plan.size();
    let net = assemble(&ground(&program, &GroundingBudget::default()).expect("within the budget"));
    let start = Instant::now();
    let theirs = abc.and_then(|abc| count_by_abc(abc, net));
    let abc_seconds = start.elapsed().as_secs_f64();
    let ratio = theirs.map(|theirs| ours as f64 / theirs as f64);
    let shown = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    println!(
        "{name:16} {ours:8} {:>8} {:>7} {whole:10} {our_seconds:8.2} {abc_seconds:8.2}",
        shown(theirs.map(|theirs| theirs.to_string())),
        shown(ratio.map(|ratio| format!("{ratio:.3}"))),
    );
    ratio
}

fn read(game: &Path) -> Option<Program> {
    let text = std::fs::read_to_string(game).ok()?;
    rules::check(Source::new(game.to_string_lossy(), text)).program
}

/// How many three-input luts ABC needs for the legal moves and the next
/// fluents.
fn count_by_abc(abc: &str, mut net: Propnet) -> Option<usize> {
    net.terminal = Signal::FALSE;
    net.goals.clear();
    let file = std::env::temp_dir().join(format!("synthesis-{}.aig", std::process::id()));
    std::fs::write(&file, Aiger::of(&net).to_binary()).ok()?;
    let script = format!("read_aiger {}; {SCRIPT}", file.display());
    let output = Command::new(abc).args(["-q", &script]).output();
    let _ = std::fs::remove_file(&file);
    let text = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
    let found = luts_in(&text);
    if found.is_none() {
        println!("no answer of ABC: {text}");
    }
    found
}

/// The number behind `nd =` in ABC's statistics.
fn luts_in(statistics: &str) -> Option<usize> {
    let (_, behind) = statistics.rsplit_once(" nd =")?;
    behind.split_whitespace().next()?.parse().ok()
}
