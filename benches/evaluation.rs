//! Measures learning and search by evaluation, on one thread, as the champion does both.
//!
//! `cargo bench --bench evaluation -- games/hex.kif` measures other games than the
//! built-in ones. Figures are millions per second: leaves that a search expands (new nodes)
//! and states that it evaluates, in trees of a tenth of a second, as they grow in matches,
//! and in a tree of two seconds; moves of self-play; samples of training.

use clap::Parser;
use gdl_agent::learning::learned::LearnedNetwork;
use gdl_agent::learning::samples::Samples;
use gdl_agent::learning::self_play::SelfPlay;
use gdl_agent::learning::training::Trainer;
use gdl_agent::learning::{Learner, QuantisedNetwork};
use gdl_agent::puct::{EvaluatedSearch, GoalModel, PuctSettings};
use gdl_engines::{EngineKind, EngineOptions, open};
use gdl_runtime::engine::{Engine, State};
use gdl_runtime::stop_flag::StopFlag;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time for learning the network that everything is measured with.
const LEARNING: Duration = Duration::from_secs(3);

/// The time for which self-play and training are measured.
const TIME: Duration = Duration::from_secs(1);

/// The time of a short search, and the numbers of random moves before each of them.
const SHORT: Duration = Duration::from_millis(100);
const OPENINGS: [usize; 8] = [0, 2, 4, 6, 8, 10, 12, 14];

/// The time of a long search, from the initial state.
const LONG: Duration = Duration::from_secs(2);

const GAMES: [&str; 3] = ["connect_four", "breakthrough", "othello"];

/// Measure learning and search by evaluation
#[derive(Parser)]
struct Args {
    /// Rule sheets; some of the built-in games if none is given.
    files: Vec<PathBuf>,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if !args.bench {
        println!("not measured: cargo bench --bench evaluation does");
        return Ok(());
    }
    let mut files = args.files;
    if files.is_empty() {
        files.extend(GAMES.map(|name| PathBuf::from(format!("games/{name}.kif"))));
    }
    println!(
        "| game | features | nodes, 0.1 s | states, 0.1 s | nodes, 2 s | states, 2 s | moves \
         | samples |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    for file in files {
        measure(&file)?;
    }
    Ok(())
}

fn measure(file: &Path) -> anyhow::Result<()> {
    let engine = open(file, EngineKind::Net, &EngineOptions::default())?.engine;
    let layout = engine.layout().ok_or(anyhow::anyhow!("no layout"))?;
    let mut learner = Learner::new(engine.lanes(1), &engine.initial(), &layout, 1)?
        .with_reachability(engine.reachability_finder());
    learner.learn(LEARNING, &StopFlag::default(), &mut |_| {});
    let learned = learner
        .learned()
        .ok_or(anyhow::anyhow!("nothing learned"))?;
    let short: Vec<State> = OPENINGS
        .iter()
        .map(|&plies| State(learner.random_state(plies).into()))
        .collect();
    let mut search = EvaluatedSearch::new(
        engine.lanes(2),
        engine.initial().0.len(),
        GoalModel::of(&layout),
        PuctSettings::default(),
    );
    let network = QuantisedNetwork::new(&learned.network, learned.largest);
    search.set_network(network.clone(), learner.features());
    let short = rates(&mut search, &short, SHORT);
    let long = rates(&mut search, &[engine.initial()], LONG);
    let (moves, samples) = learning_rates(&*engine, &mut learner, &network, learned.clone());
    println!(
        "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {moves:.2} | {samples:.2} |",
        file.file_stem().unwrap_or_default().to_string_lossy(),
        learned.network.features(),
        short[0],
        short[1],
        long[0],
        long[1],
    );
    Ok(())
}

/// Millions of nodes and of evaluations per second in searches from these states.
fn rates(search: &mut EvaluatedSearch, states: &[State], time: Duration) -> [f64; 2] {
    let (mut nodes, mut spent) = (0, Duration::ZERO);
    let evaluations = search.counts().evaluations;
    for state in states {
        search.forget();
        let start = Instant::now();
        search.set_root(state);
        search.run(&mut |_| start.elapsed() < time);
        spent += start.elapsed();
        nodes += search.counts().nodes as u64;
    }
    let evaluations = search.counts().evaluations - evaluations;
    [nodes, evaluations].map(|count| count as f64 / spent.as_secs_f64() / 1e6)
}

/// Millions of moves of self-play and of samples of training per second.
fn learning_rates(
    engine: &dyn Engine,
    learner: &mut Learner,
    network: &QuantisedNetwork,
    learned: LearnedNetwork,
) -> (f64, f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let expander = learner.expander();
    let mut self_play = SelfPlay::new(&engine.initial(), expander);
    let words = learned.network.features() / 64;
    let mut samples = Samples::new(words, expander.roles());
    let start = Instant::now();
    let goes_on = &mut |_: &_| start.elapsed() < TIME;
    let report = self_play.play(
        expander,
        Some([network; 2]),
        &mut samples,
        &mut random,
        goes_on,
    );
    let moves = report.plies as f64 / start.elapsed().as_secs_f64() / 1e6;
    let mut trainer = Trainer::new(learned.network, learned.largest);
    let (start, mut seen) = (Instant::now(), 0);
    while start.elapsed() < TIME && !samples.is_empty() {
        trainer.fit(&[&samples], usize::MAX, 0.001, &mut random, &mut || true);
        seen += samples.len();
    }
    (moves, seen as f64 / start.elapsed().as_secs_f64() / 1e6)
}
