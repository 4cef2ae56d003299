//! Evaluates agents by positions with known values: `cargo bench --bench positions`.
//!
//! `-- --time 100ms,1s` chooses the times, `-- --agent uct+mast` the agents, and names of
//! classes, or beginnings of them, the positions; `--set FILE` reads others. An agent that
//! learns does so once per game. It thinks once about a position, and is asked for its move
//! after each of the times.

mod tally;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Parser;
use gdl_agent::agents::Agent;
use gdl_agent::player::{Player, Reply, Turn};
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_contests::markdown::MarkdownTable;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_positions::game_tree::GameTree;
use gdl_positions::position_set::{ClassSummary, KnownPosition, PositionSet};
use gdl_runtime::engine::State;
use indicatif::{ProgressBar, ProgressStyle};
use tally::{Answer, ClassTally};

/// Evaluate agents by positions with known values
#[derive(Parser)]
struct Args {
    /// Classes of positions, by the beginnings of their names; all if none is given.
    classes: Vec<String>,
    /// The file of positions; the one of the repository if none is given.
    #[arg(long, value_name = "FILE")]
    set: Option<PathBuf>,
    /// An agent; may be repeated.
    #[arg(long = "agent", value_name = "AGENT", default_values = ["champion", "uct"])]
    agents: Vec<Agent>,
    /// The times after which an agent is asked for its move, ascending.
    #[arg(long, value_delimiter = ',', default_value = "100ms,200ms,500ms,1s")]
    time: Vec<humantime::Duration>,
    /// The time to learn a game.
    #[arg(long, default_value = "10s")]
    start: humantime::Duration,
    /// The most positions of a class, spread over it.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    positions: usize,
    /// The engine that runs the games.
    #[arg(long, value_enum, default_value_t = EngineKind::Net)]
    engine: EngineKind,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if !args.bench {
        println!("not measured: cargo bench --bench positions does");
        return Ok(());
    }
    let file = args.set.clone().unwrap_or_else(PositionSet::file);
    let set = PositionSet::read(&file)?;
    // An answer after a shorter time would be that after the longest one.
    let ascend = args.time.is_sorted_by_key(|time| **time);
    ensure!(ascend, "the times have to ascend");
    let mut classes = set.header.classes.clone();
    for name in &args.classes {
        let is_there = classes.iter().any(|class| class.name.starts_with(name));
        ensure!(is_there, "there is no class {name}");
    }
    classes.retain(|class| {
        let begins = |name: &String| class.name.starts_with(name);
        args.classes.is_empty() || args.classes.iter().any(begins)
    });
    let mut tallies = Vec::new();
    for game in classes.chunk_by(|one, other| one.sheet == other.sheet) {
        for agent in &args.agents {
            let of_game = evaluate(&set, game, agent, &args);
            tallies.extend(of_game.with_context(|| format!("{agent} in {}", game[0].name))?);
        }
    }
    print(&tallies, &args)
}

/// Lets an agent think about the positions of one game.
fn evaluate(
    set: &PositionSet,
    classes: &[ClassSummary],
    agent: &Agent,
    args: &Args,
) -> anyhow::Result<Vec<ClassTally>> {
    let sheet = PositionSet::sheet(&classes[0].sheet);
    let engine = gdl_engines::open(&sheet, args.engine, &EngineOptions::default())?.engine;
    let mut tree = GameTree::new(engine)?;
    let mut player = agent.player(tree.engine(), SearchLimits::default(), args.seed);
    prepare(&mut *player, &mut tree, *args.start);
    let style = ProgressStyle::with_template("{bar:30} {elapsed} {msg} {pos}/{len}")?;
    let tallies = classes.iter().map(|class| {
        let positions = of_class(set, class, args.positions);
        let progress = ProgressBar::new(positions.len() as u64).with_style(style.clone());
        progress.set_message(format!("{agent}, {}", class.name));
        let times = args.time.iter().map(|time| **time);
        let mut tally = ClassTally::new(&class.name, &agent.to_string(), times);
        for (line, position) in progress.wrap_iter(positions.into_iter()) {
            tally.add(line, &ask(&mut *player, &mut tree, position, &args.time)?);
        }
        progress.finish_and_clear();
        Ok(tally)
    });
    tallies.collect()
}

/// The positions of a class with their lines in the file, at most `most` of them.
fn of_class<'a>(
    set: &'a PositionSet,
    class: &ClassSummary,
    most: usize,
) -> Vec<(usize, &'a KnownPosition)> {
    // The header is line 1.
    let lines = (2..).zip(&set.positions);
    let all = lines.filter(|(_, position)| position.class == class.name);
    let all: Vec<_> = all.collect();
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(step).collect()
}

/// Lets a player learn the game from its initial state.
fn prepare(player: &mut dyn Player, tree: &mut GameTree, time: Duration) {
    let state = tree.engine().initial();
    let position = tree.position(&state);
    let turn = Turn {
        engine: tree.engine(),
        role: 0,
        state: &state,
        position: &position,
        budget: SearchBudget::within(time),
    };
    player.prepare(&turn, &mut |_| {});
}

/// Asks a player for its move in a position after each of the times.
fn ask(
    player: &mut dyn Player,
    tree: &mut GameTree,
    known: &KnownPosition,
    times: &[humantime::Duration],
) -> anyhow::Result<Vec<Answer>> {
    let positions = tree.replay(&known.moves)?;
    let role = tree.decider(&positions, 0)?;
    let state = State(positions.state(0).into());
    let position = tree.position(&state);
    let begun = Instant::now();
    let mut answers = Vec::new();
    for time in times {
        let turn = Turn {
            engine: tree.engine(),
            role,
            state: &state,
            position: &position,
            budget: SearchBudget::Until(begun + **time),
        };
        if let Reply::Play(result) = player.choose(&turn, &mut |_| {})? {
            let name = |mv| tree.move_name(role, mv);
            answers.push(Answer::new(&result, known, tree.goals(role), &name));
        }
    }
    Ok(answers)
}

/// Prints a table, or a line of JSON for each agent, class and time.
fn print(tallies: &[ClassTally], args: &Args) -> anyhow::Result<()> {
    if args.json {
        for line in tallies.iter().flat_map(ClassTally::lines) {
            println!("{}", serde_json::to_string(&line)?);
        }
        return Ok(());
    }
    let times = args.time.iter().map(ToString::to_string);
    let head = ["class", "agent", "positions"].map(str::to_owned);
    let last = "wrong proofs".to_owned();
    let mut table = MarkdownTable::new(2, head.into_iter().chain(times).chain([last]));
    tallies.iter().for_each(|tally| table.row(tally.cells()));
    println!("Right moves, and those whose value is proven, after each of the times:\n\n{table}");
    tallies
        .iter()
        .filter_map(ClassTally::note)
        .for_each(|note| println!("{note}"));
    Ok(())
}
