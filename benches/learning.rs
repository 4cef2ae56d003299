//! What champions learn in a start clock, for a folder of rule sheets:
//! `cargo bench --bench learning -- FOLDER`.
//!
//! Each game has a process of its own, so that its memory can be measured. A champion learns
//! once, and then plays quick games against uct, with one role in each. The record of a game is
//! appended to a file of results at once, and a game that is in the file is not played again.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Parser;
use gdl_agent::agents::Agent;
use gdl_agent::matches::MatchStepper;
use gdl_agent::player::Turn;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_engines::input;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, Role};
use serde::{Deserialize, Serialize};

/// Moves after which a game counts as it stands.
const LONGEST_GAME: usize = 300;

/// Time after which no further game begins.
const MOST_TIME: Duration = Duration::from_secs(60);

/// What champions learn in a start clock, and what that is worth against uct
#[derive(Parser)]
struct Args {
    /// Rule sheets, or folders of them.
    paths: Vec<PathBuf>,
    /// The time to learn a game.
    #[arg(long, default_value = "10s")]
    start: humantime::Duration,
    /// Time per move.
    #[arg(long, default_value = "5ms")]
    time: humantime::Duration,
    /// Games against uct.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// Memory per agent for its tree, in MiB.
    #[arg(long, default_value_t = 256)]
    memory: usize,
    /// The file of results; games that are in it are skipped.
    #[arg(long, default_value = "learning.jsonl")]
    results: PathBuf,
    /// Learn this one game and print the record.
    #[arg(long, hide = true)]
    child: Option<PathBuf>,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The results for a game.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The rule sheet's name.
    game: String,
    /// Its path, and the time to learn it; older records lack both.
    #[serde(default)]
    sheet: PathBuf,
    #[serde(default)]
    start: String,
    /// What was learned and chosen; what went wrong, if the game could not be played.
    outcome: String,
    /// The champion's share of the mean goals of both in games against uct, 0 to 1: one half
    /// is even, however many roles there are.
    score: Option<f64>,
    /// The number of these games.
    games: u64,
    /// The most memory that the process had, in MiB.
    mib: f64,
}

impl Record {
    fn new(path: &Path, args: &Args, outcome: String) -> Self {
        Self {
            game: input::stem(path),
            sheet: path.to_owned(),
            start: args.start.to_string(),
            outcome,
            score: None,
            games: 0,
            mib: 0.0,
        }
    }

    fn is_of(&self, path: &Path, args: &Args) -> bool {
        self.sheet == path && self.start == args.start.to_string()
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if let Some(path) = &args.child {
        println!("{}", serde_json::to_string(&record(path, &args))?);
        return Ok(());
    }
    if !args.bench {
        println!("not measured: cargo bench --bench learning -- FOLDER does");
        return Ok(());
    }
    let known = fs::read_to_string(&args.results).unwrap_or_default();
    let known = known.lines().map(serde_json::from_str::<Record>);
    let known = known.collect::<Result<Vec<_>, _>>();
    let known = known.with_context(|| format!("{} is damaged", args.results.display()))?;
    for path in sheets(&args.paths)? {
        if !known.iter().any(|record| record.is_of(&path, &args)) {
            let record = in_child(&path, &args)?;
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&args.results)?;
            writeln!(file, "{}", serde_json::to_string(&record)?)?;
            print(&record);
        }
    }
    Ok(())
}

/// The rule sheets, by name.
fn sheets(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut sheets = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
            let files = entries.into_iter().map(|entry| entry.path());
            sheets.extend(files.filter(|file| file.extension().is_some_and(|it| it == "kif")));
        } else {
            sheets.push(path.clone());
        }
    }
    ensure!(!sheets.is_empty(), "no rule sheets");
    sheets.sort();
    Ok(sheets)
}

/// Plays a game in a process of its own, with the arguments of this one.
fn in_child(path: &Path, args: &Args) -> anyhow::Result<Record> {
    let output = Command::new(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .arg("--child")
        .arg(path)
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    match serde_json::from_str(&printed) {
        Ok(record) if output.status.success() => Ok(record),
        _ => {
            let error = String::from_utf8_lossy(&output.stderr);
            let outcome = format!("ended with {}: {}", output.status, error.trim());
            Ok(Record::new(path, args, outcome))
        }
    }
}

fn record(path: &Path, args: &Args) -> Record {
    let (outcome, score, games) = match learn_and_play(path, args) {
        Ok(result) => result,
        Err(error) => (format!("{error:#}"), None, 0),
    };
    Record {
        score,
        games,
        mib: gdl_testing::process::peak_mib(),
        ..Record::new(path, args, outcome)
    }
}

/// What was learned and chosen, the champion's share of the goals, and the number of games.
fn learn_and_play(path: &Path, args: &Args) -> anyhow::Result<(String, Option<f64>, u64)> {
    let mut engine = gdl_engines::open(path, EngineKind::Net, &EngineOptions::default())?.engine;
    let limits = SearchLimits {
        memory: args.memory << 20,
        ..SearchLimits::default()
    };
    let mut champion =
        (Agent::champion().search_player(&*engine, limits, 1)).context("a champion searches")?;
    let budget = SearchBudget::within(*args.start);
    champion.prepare(&engine.initial(), 0, budget, &mut |_| {});
    let mut outcome = "nothing to learn".to_owned();
    let (mut goals_of, mut games) = ([0.0; 2], 0);
    let begun = Instant::now();
    while games < args.games && begun.elapsed() < MOST_TIME {
        let mut uct =
            (Agent::default().search_player(&*engine, limits, games)).context("uct searches")?;
        let roles = engine.roles().len();
        let own = games as usize % roles;
        let goals = play(
            &mut *engine,
            [&mut champion, &mut uct],
            own,
            args,
            &mut outcome,
        )?;
        let other = match roles {
            1 => play(
                &mut *engine,
                [&mut champion, &mut uct],
                1,
                args,
                &mut outcome,
            )?[0],
            _ => (goals.iter().sum::<f64>() - goals[own]) / (roles - 1) as f64,
        };
        goals_of[0] += goals[own];
        goals_of[1] += other;
        games += 1;
    }
    let sum: f64 = goals_of.iter().sum();
    let score = if sum > 0.0 { goals_of[0] / sum } else { 0.5 };
    Ok((outcome, Some(score), games))
}

/// Plays a game in which the champion has one role, `own`, and uct the others. Returns the
/// goals.
fn play(
    engine: &mut dyn Engine,
    [champion, uct]: [&mut SearchPlayer; 2],
    own: Role,
    args: &Args,
    outcome: &mut String,
) -> anyhow::Result<Vec<f64>> {
    let mut stepper = MatchStepper::begin(engine, LONGEST_GAME);
    while stepper.ending(engine)?.is_none() {
        let mut joint: Vec<Move> = Vec::new();
        for role in 0..engine.roles().len() {
            let turn = Turn {
                engine,
                role,
                state: stepper.state(),
                position: stepper.position(),
                budget: SearchBudget::within(*args.time),
            };
            let player = if role == own {
                &mut *champion
            } else {
                &mut *uct
            };
            let result = player.think(&turn, &mut |_| {})?;
            if let Some(choice) = result.choice {
                *outcome = choice;
            }
            joint.push(result.chosen);
        }
        stepper.advance(engine, &joint);
    }
    Ok(stepper.goals().into_iter().map(f64::from).collect())
}

fn print(record: &Record) {
    let score = record
        .score
        .map_or_else(|| "-".to_owned(), |score| format!("{:.0} %", 100.0 * score));
    println!(
        "{:36} {score:>6} of {:>2} games, {:>5.0} MiB; {}",
        record.game, record.games, record.mib, record.outcome
    );
}
