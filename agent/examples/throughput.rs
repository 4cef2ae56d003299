//! Simulations a second of the search, on games too small to cost anything:
//! what the tree itself can do. `cargo run --release --example throughput`.
#![allow(missing_docs)]

#[path = "../tests/toys/mod.rs"]
mod toys;

use std::time::Duration;

use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{Search, SearchSettings};
use gdl_runtime::engine::Engine;
use toys::{CONNECT_FOUR, Nim, Race, TIC_TAC_TOE, Toy, ToyEngine};

fn measure(name: &str, toy: impl Toy) {
    for lanes in [1, 64, 512] {
        let engine = ToyEngine::new(toy, lanes);
        let mut search = Search::new(
            engine.lanes(1),
            &engine.initial(),
            SearchSettings::default(),
            2,
        );
        let budget = SearchBudget::within(Duration::from_secs(2));
        let report = search.run(&engine.initial(), 0, budget, &mut |_| {});
        let seconds = report.elapsed.as_secs_f64();
        println!(
            "{name:14} lanes {lanes:3}: {:9.0} simulations/s, {} nodes, {} bytes a node, {:.1} + {:.1} moves, {seconds:.2} s",
            report.simulations as f64 / seconds,
            report.nodes,
            report.bytes / report.nodes.max(1),
            report.tree_steps as f64 / report.simulations as f64,
            report.playout_steps as f64 / report.simulations as f64,
        );
    }
}

fn main() {
    measure("nim", Nim([19, 18, 17]));
    measure("tic-tac-toe", TIC_TAC_TOE);
    measure("connect four", CONNECT_FOUR);
    measure(
        "race",
        Race {
            length: 40,
            rounds: 60,
        },
    );
}
