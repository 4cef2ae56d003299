//! Searches continue on another engine of the same game, as those of a player do once
//! the native engine is compiled.

use crate::common;
use gdl_agent::agents::Agent;
use gdl_agent::player::Turn;
use gdl_agent::player::search_player::{OtherNumbers, SearchPlayer};
use gdl_agent::search::SearchBudget;
use gdl_agent::search::SearchLimits;
use gdl_engines::{EngineKind, EngineOptions, load_builtin};
use gdl_runtime::engine::{Engine, State};
use gdl_runtime::lanes::Width;

const AGENTS: [&str; 7] = [
    "uct",
    "uct+mast",
    "uct+rave",
    "uct+past",
    "uct+cutoff",
    "uct+mast+threads",
    "uct+trees",
];

fn net(name: &str, width: Width) -> Box<dyn Engine> {
    let options = EngineOptions {
        width: Some(width),
        ..EngineOptions::default()
    };
    gdl_engines::load(&common::game(name), EngineKind::Net, &options).expect("the game fits")
}

fn player(engine: &dyn Engine, agent: &str) -> SearchPlayer {
    let agent: Agent = agent.parse().expect("the agent exists");
    agent
        .search_player(engine, SearchLimits::default(), 1)
        .expect("the agent searches")
}

/// The number of simulations of all moves together.
fn visits(player: &SearchPlayer, engine: &mut dyn Engine, state: &State) -> u64 {
    let position = engine.examine(state);
    let turn = Turn {
        engine,
        role: 0,
        state,
        position: &position,
        budget: SearchBudget::Simulations(0),
    };
    let result = player.result(&turn).expect("there are moves");
    let visits = result.evaluations.iter();
    visits.map(|evaluation| u64::from(evaluation.visits)).sum()
}

#[test]
fn a_search_goes_on_with_another_engine() {
    // A game with turns and one with simultaneous moves; tables and machine code; the
    // widest and the narrowest lanes.
    for name in ["breakthrough", "tron"] {
        for agent in AGENTS {
            let mut first = net(name, Width::W64);
            let state = first.initial();
            let mut player = player(&*first, agent);
            let ponder = |player: &mut SearchPlayer| {
                let budget = SearchBudget::Simulations(2000);
                player.ponder(&state, 0, budget, &mut |_| {}).simulations
            };
            assert_eq!(ponder(&mut player), 2000);
            let known = visits(&player, &mut *first, &state);
            let others: [Box<dyn Engine>; 2] = [
                Box::new(load_builtin(name, Width::widest()).expect("it is built in")),
                net(name, Width::W256),
            ];
            for (moves, mut other) in others.into_iter().enumerate() {
                player.move_to(&*other).expect("they are numbered alike");
                let kept = visits(&player, &mut *other, &state);
                assert_eq!(kept, known + 2000 * moves as u64, "{name}, {agent}");
                assert_eq!(ponder(&mut player), 2000, "{name}, {agent}");
                let more = visits(&player, &mut *other, &state);
                assert_eq!(more, kept + 2000, "{name}, {agent}");
            }
        }
    }
}

#[test]
fn engines_that_number_in_another_way_are_refused() {
    let engine = net("breakthrough", Width::W64);
    let mut player = player(&*engine, "uct");
    let reference = gdl_engines::load(
        &common::game("breakthrough"),
        EngineKind::Reference,
        &EngineOptions::default(),
    );
    let reference = reference.expect("the game can be evaluated");
    assert_eq!(player.move_to(&*reference), Err(OtherNumbers));
    assert_eq!(player.move_to(&*net("tron", Width::W64)), Err(OtherNumbers));
    let state = engine.initial();
    let report = player.ponder(&state, 0, SearchBudget::Simulations(100), &mut |_| {});
    assert_eq!(report.simulations, 100);
}

#[test]
fn a_single_move_is_pondered() {
    let mut engine = net("breakthrough", Width::widest());
    let state = engine.initial();
    let mut player = player(&*engine, "uct");
    // The second player waits for the first.
    assert_eq!(engine.examine(&state).legal[1].len(), 1);
    for _ in 0..3 {
        let report = player.ponder(&state, 1, SearchBudget::Simulations(3000), &mut |_| {});
        assert_eq!(report.simulations, 3000);
    }
    assert_eq!(visits(&player, &mut *engine, &state), 9000);
    assert!(!player.is_exhausted());
}
