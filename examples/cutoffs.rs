//! What early cutoffs decide in games, and by which rule:
//! `cargo run --release --example cutoffs -- games/checkers.kif games/othello.kif`.

use std::path::Path;

use anyhow::anyhow;
use gdl_agent::agents::Agent;
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::searcher::Searcher;
use gdl_agent::search::{Search, SearchLimits};
use gdl_engines::{EngineKind, EngineOptions, open};

/// Simulations of the search: more than are watched.
const SIMULATIONS: u64 = 200;

fn main() -> anyhow::Result<()> {
    let text = "uct+unproven+cutoff";
    let agent: Agent = text.parse().map_err(|error| anyhow!("{text}: {error}"))?;
    for file in std::env::args().skip(1) {
        let engine = open(Path::new(&file), EngineKind::Net, &EngineOptions::default())?.engine;
        let settings = agent.settings(&*engine, SearchLimits::default());
        let mut search = Search::on_engine(&*engine, vec![settings], 1);
        let budget = SearchBudget::Simulations(SIMULATIONS);
        search.run(&engine.initial(), 0, budget, &mut |_| {});
        let verdict = search.searchers().find_map(Searcher::verdict);
        println!("{file}: {}", verdict.unwrap_or_default());
    }
    Ok(())
}
