//! Several threads on one tree, and several trees.

use crate::toys::*;
use gdl_agent::agents::Agent;
use gdl_agent::player::{Reply, Turn};
use gdl_agent::search::Search;
use gdl_agent::search::SearchBudget;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::SearchResult;
use gdl_runtime::engine::Engine;

fn agent(text: &str) -> Agent {
    text.parse().unwrap()
}

/// The result of an agent for the first move of a toy, after this number of simulations.
fn think(text: &str, toy: impl Toy, simulations: u64) -> SearchResult {
    let mut engine = ToyEngine::new(toy, 64);
    let state = engine.initial();
    let position = engine.examine(&state);
    let turn = Turn {
        engine: &engine,
        role: 0,
        state: &state,
        position: &position,
        budget: SearchBudget::Simulations(simulations),
    };
    let mut player = agent(text).player(&engine, SearchLimits::default(), 1);
    match player.choose(&turn, &mut |_| {}).unwrap() {
        Reply::Play(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn threads_and_trees_spend_the_budget_exactly() {
    for text in ["uct+threads(n=3)", "uct+trees(n=3)", "uct+threads+trees"] {
        let result = think(text, CONNECT_FOUR, 20_000);
        assert_eq!(result.report.simulations, 20_000, "{text}");
        let visits: u32 = result
            .evaluations
            .iter()
            .map(|evaluation| evaluation.visits)
            .sum();
        let trees = if text.contains("trees") { 3 } else { 1 };
        // The first simulation of a tree makes the root.
        assert!(
            (20_000 - trees..=20_000).contains(&visits),
            "{text}: {visits}"
        );
    }
}

#[test]
fn threads_find_what_one_finds() {
    // 3 xor 4 xor 5 is 2, and only the first heap has that bit: one move wins.
    let alone = think("uct", Nim([3, 4, 5]), 200_000);
    for text in ["uct+threads(n=2)", "uct+trees(n=2)"] {
        let together = think(text, Nim([3, 4, 5]), 200_000);
        assert_eq!(together.chosen, alone.chosen, "{text}");
        assert!(together.evaluation().unwrap().proven, "{text}");
    }
}

#[test]
fn trees_differ_and_are_summed() {
    let engine = ToyEngine::new(CONNECT_FOUR, 64);
    let trees = (0..2).map(|_| agent("uct").settings(&engine, SearchLimits::default()));
    let initial = engine.initial();
    let mut search = Search::parallel(trees.collect(), &|seed| engine.lanes(seed), &initial, 1);
    let report = search.run(&initial, 0, SearchBudget::Simulations(5_001), &mut |_| {});
    assert_eq!(report.simulations, 5_001);
    let visits: Vec<Vec<u32>> = search
        .searchers()
        .map(|searcher| {
            let root = searcher.tree().find(&initial).unwrap();
            let edges = searcher.tree().edges(root, 0).iter();
            edges.map(|edge| edge.visits).collect()
        })
        .collect();
    assert_ne!(visits[0], visits[1]);
    let sums: Vec<u32> = visits.iter().map(|visits| visits.iter().sum()).collect();
    assert!((2_499..=2_501).contains(&sums[0]), "{sums:?}");
}

#[test]
fn trees_are_merged_as_the_agent_wants() {
    let value = |by: &str| {
        let text = format!("uct(c=5)+trees(n=4,by={by})");
        let result = think(&text, TIC_TAC_TOE, 400);
        result.evaluation().unwrap().value
    };
    let [sum, best, raw] = ["sum", "best", "raw"].map(value);
    assert!(
        best > sum && best > raw && raw != sum,
        "{sum}, {best}, {raw}"
    );
}

#[test]
fn virtual_loss_sends_simulations_elsewhere() {
    /// One move is worth ninety points, the others nothing.
    const DOOR: Picks = Picks {
        moves: 8,
        rounds: 2,
        value: |round, _, mv| if round == 0 && mv == 3 { 90 } else { 0 },
    };
    let most_visits = |text: &str| {
        let result = think(text, DOOR, 500);
        result.evaluation().unwrap().visits
    };
    let most = [0, 1, 10].map(|loss| {
        most_visits(&format!(
            "uct+unproven+lanes(flying=64,playouts=1)+threads(n=1,loss={loss})"
        ))
    });
    assert!(most[0] > most[1] + 20 && most[1] > most[2] + 20, "{most:?}");
}
