//! Grounds every game of the corpus and replays its traces on the ground rules.
//!
//! `cargo run --release -p gdlc --example ground_corpus -- [--no-traces]
//! [--corpus DIR] [NAME…]`: one line per game, each in a process of its own so
//! that its peak memory can be told, then a summary.

mod evaluate;

use evaluate::Evaluator;
use flate2::read::GzDecoder;
use gdlc::compile::ground_rules;
use gdlc::ground::{GroundProgram, GroundingBudget};
use gdlc::rules;
use gdlc::source::Source;
use serde_json::Value;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A state is checked as long as a game has used less than this.
const TRACE_SECONDS: u64 = 20;

fn main() -> Outcome<()> {
    let mut corpus = PathBuf::from("../shared/corpus");
    let (mut names, mut traces, mut single) = (Vec::new(), true, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--corpus" => corpus = args.next().ok_or("--corpus needs a directory")?.into(),
            "--no-traces" => traces = false,
            "--single" => single = true,
            _ => names.push(arg),
        }
    }
    if single {
        return ground_one(&corpus, &names[0], traces);
    }
    if names.is_empty() {
        names = all_names(&corpus)?;
    }
    sweep(&corpus, &names, traces)
}

fn all_names(corpus: &Path) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(corpus.join("games"))? {
        let path = entry?.path();
        if let Some(stem) = path.file_stem() {
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Grounds each game in a child process and sums up.
fn sweep(corpus: &Path, names: &[String], traces: bool) -> Outcome<()> {
    println!(
        "{:36} {:>9} {:>8} {:>9} {:>9} {:>7} {:>7} {:>6}  traces",
        "game", "ms", "atoms", "rules", "literals", "bases", "moves", "MiB"
    );
    let (mut times, mut peaks, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let mut child = Command::new(std::env::current_exe()?);
        child.args(["--single", "--corpus"]).arg(corpus).arg(name);
        if !traces {
            child.arg("--no-traces");
        }
        let output = child.output()?;
        let line = String::from_utf8_lossy(&output.stdout);
        print!("{line}");
        let figures: Vec<&str> = line.split_whitespace().collect();
        if output.status.success() && figures.len() > 7 {
            times.push(figures[1].parse::<f64>()?);
            peaks.push(figures[7].parse::<f64>()?);
        } else {
            let errors = String::from_utf8_lossy(&output.stderr);
            println!("{name:36} {}", errors.trim());
            missed.push(name.as_str());
        }
    }
    let total = names.len();
    println!("\ngrounded {} of {total}; missed: {missed:?}", times.len());
    println!("time {} ms; peak {} MiB", spread(times), spread(peaks));
    Ok(())
}

fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    if values.is_empty() {
        return "none".to_owned();
    }
    format!("median {} p95 {} max {}", at(0.5), at(0.95), at(1.0))
}

fn ground_one(corpus: &Path, name: &str, traces: bool) -> Outcome<()> {
    let path = corpus.join("games").join(format!("{name}.kif"));
    let source = Source::new(name, fs::read_to_string(path)?);
    let checked = rules::check(source);
    let program = checked.program.ok_or("the rule sheet has errors")?;
    let started = Instant::now();
    let ground =
        ground_rules(&program, &GroundingBudget::default()).map_err(|error| error.to_string())?;
    let elapsed = started.elapsed();
    let literals: usize = ground.rules.iter().map(|rule| rule.body.len()).sum();
    print!(
        "{name:36} {:9.1} {:8} {:9} {literals:9} {:7} {:7} {:6}",
        elapsed.as_secs_f64() * 1e3,
        ground.atoms.len(),
        ground.rules.len(),
        ground.bases.len(),
        ground.moves.len(),
        peak_memory_mib()
    );
    if traces {
        let path = corpus.join("traces").join(format!("{name}.jsonl.gz"));
        print!("  {}", replay(&ground, &path)?);
    }
    println!();
    Ok(())
}

/// The highest resident size of this process so far, where the system tells.
fn peak_memory_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.unwrap_or(0) >> 10
}

/// Compares a trace with the ground rules; says how many states agreed, or what
/// differs first.
fn replay(ground: &GroundProgram, path: &Path) -> Outcome<String> {
    let evaluator = Evaluator::new(ground);
    let started = Instant::now();
    let mut states = 0;
    let mut expected_next: Option<Vec<String>> = None;
    for line in BufReader::new(GzDecoder::new(File::open(path)?)).lines() {
        let line: Value = serde_json::from_str(&line?)?;
        if line.get("state").is_none() {
            continue;
        }
        if started.elapsed().as_secs() > TRACE_SECONDS {
            return Ok(format!("{states} ok (stopped)"));
        }
        match compare(&evaluator, &line, expected_next.take()) {
            Ok(next) => expected_next = next,
            Err(difference) => {
                return Err(format!("state {states}: {difference}").into());
            }
        }
        states += 1;
    }
    Ok(format!("{states} ok"))
}

/// Compares one state; returns what should follow it.
fn compare(
    evaluator: &Evaluator,
    line: &Value,
    expected: Option<Vec<String>>,
) -> Result<Option<Vec<String>>, String> {
    let state = strings(&line["state"]);
    let expected = if line["s"] == 0 {
        Some(evaluator.initial())
    } else {
        expected
    };
    if expected.is_some_and(|expected| expected != sorted(state.clone())) {
        return Err(format!("state differs, should be {state:?}"));
    }
    let joint = strings(&line["move"]);
    let situation = evaluator.examine(&state, &joint)?;
    if situation.terminal != (line["terminal"] == true) {
        return Err(format!("terminal is {}", situation.terminal));
    }
    if !situation.terminal && line.get("legal").is_some() {
        for (role, legal) in line["legal"].as_array().into_iter().flatten().enumerate() {
            let legal = sorted(strings(legal));
            if situation.legal[role] != legal {
                let ours = &situation.legal[role];
                return Err(format!("legal is {ours:?}, should be {legal:?}"));
            }
        }
    }
    // Elsewhere than in terminal states, null may also mean not recorded.
    let recorded = |goals: &Value| situation.terminal || !goals.is_null();
    let goals = line["goals"].as_array().into_iter().flatten().enumerate();
    for (role, goals) in goals.filter(|(_, goals)| recorded(goals)) {
        let wanted = whole_numbers(goals);
        if situation.goals[role] != wanted {
            let ours = &situation.goals[role];
            return Err(format!(
                "goals of role {role} are {ours:?}, should be {wanted:?}"
            ));
        }
    }
    Ok((!joint.is_empty()).then_some(situation.next))
}

/// The goal values of a role, ascending, however they are recorded.
fn whole_numbers(goals: &Value) -> Vec<i32> {
    let one = std::slice::from_ref(goals);
    let several = goals.as_array().map_or(one, Vec::as_slice).iter();
    let parsed = several.filter_map(|goal| match goal {
        Value::String(goal) => goal.parse().ok(),
        _ => goal.as_i64().and_then(|goal| goal.try_into().ok()),
    });
    let mut values: Vec<i32> = parsed.collect();
    values.sort_unstable();
    values
}

fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(Value::as_str)
        .map(str::to_lowercase)
        .collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}
