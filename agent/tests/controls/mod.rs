//! What search controls are for, each in a game made for it.

mod playouts;
mod selection;

use crate::toys::riddles::Riddles;
use crate::toys::traps::Trap;
use crate::toys::*;
use gdl_agent::agents::Agent;
use gdl_agent::playout::past::Past;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{Search, SearchReport, SearchResult, SearchSettings};
use gdl_agent::tree::edge::MoveEdge;
use gdl_runtime::engine::{Engine, Move};
use gdl_testing::chi_square::assert_weighted;

/// One simulation after the other.
fn one_by_one() -> SearchLimits {
    SearchLimits {
        in_flight: Some(1),
        playouts_per_leaf: Some(1),
        ..SearchLimits::default()
    }
}

/// An agent's settings for a game, with one simulation after the other.
fn settings(toy: impl Toy, agent: &str) -> SearchSettings {
    let agent: Agent = agent.parse().unwrap();
    agent.settings(&ToyEngine::new(toy, 1), one_by_one())
}

fn search(
    toy: impl Toy,
    settings: SearchSettings,
    simulations: u64,
    seed: u64,
) -> (Search, SearchReport) {
    let engine = ToyEngine::new(toy, 1);
    let initial = engine.initial();
    let mut search = Search::new(engine.lanes(seed), &initial, settings, seed);
    let budget = SearchBudget::Simulations(simulations);
    let report = search.run(&initial, 0, budget, &mut |_| {});
    (search, report)
}

fn root_edges(search: &Search, toy: impl Toy) -> &[MoveEdge] {
    let root = search.tree().find(&pack(toy.initial())).unwrap();
    search.tree().edges(root, 0)
}

/// The average return of all simulations.
fn average(toy: impl Toy, settings: SearchSettings) -> f64 {
    let (search, _) = search(toy, settings, 500, 1);
    let edges = root_edges(&search, toy).iter();
    let sum: f64 = edges.clone().map(|edge| edge.sum).sum();
    sum / f64::from(edges.map(|edge| edge.visits).sum::<u32>())
}

/// The mean of a quantity over searches with different seeds: one search alone may be
/// far from what is usual.
fn mean(seed: u64, quantity: impl Fn(u64) -> f64) -> f64 {
    const SEARCHES: u64 = 16;
    let seeds = (0..SEARCHES).map(|nth| seed.wrapping_add(nth));
    seeds.map(quantity).sum::<f64>() / SEARCHES as f64
}
