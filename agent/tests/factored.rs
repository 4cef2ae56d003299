//! Sums of games are solved part by part.

use gdl_agent::agents::Agent;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::player::{Player, Reply, Turn};
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;
use std::path::{Path, PathBuf};

fn open(path: &Path) -> Box<dyn Engine> {
    let options = EngineOptions::default();
    let loaded = gdl_engines::open(path, EngineKind::Net, &options);
    loaded.unwrap().engine
}

fn own(game: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.join(format!("tests/games/{game}.kif"))
}

fn player(engine: &dyn Engine, agent: &str, seed: u64) -> SearchPlayer {
    let agent: Agent = agent.parse().unwrap();
    let player = agent.search_player(engine, SearchLimits::default(), seed);
    player.unwrap()
}

/// The goal that an agent reaches, and the number of its simulations.
fn play(engine: &mut dyn Engine, agent: &str, simulations: u64, seed: u64) -> (i32, u64) {
    let mut player = player(engine, agent, seed);
    let (mut state, mut played) = (engine.initial(), 0);
    loop {
        let position = engine.examine(&state);
        if position.terminal {
            return (position.goals[0][0], played);
        }
        let turn = Turn {
            engine,
            role: 0,
            state: &state,
            position: &position,
            budget: SearchBudget::Simulations(simulations),
        };
        let Ok(Reply::Play(found)) = player.choose(&turn, &mut |_| {}) else {
            panic!("there are legal moves");
        };
        assert!(position.legal[0].contains(&found.chosen));
        played += found.report.simulations;
        state = engine.next(&state, &[found.chosen]);
    }
}

/// Of three locks the engine finds three parts; all are opened without a simulation, and none
/// of the agents that search the whole game opens all.
#[test]
fn plans_of_parts_are_joined() {
    let mut engine = open(&own("three_locks"));
    let parts = engine.factor_finder().unwrap()();
    assert_eq!(parts.len(), 3);
    for part in parts.iter() {
        assert_eq!((part.fluents.len(), part.moves[0].len()), (6, 3));
        assert_eq!(part.conditions.outputs.len(), 1);
    }
    assert_eq!(play(&mut *engine, "uct+factored", 100, 1), (100, 0));
    for agent in ["uct", "uct+mast", "uct+closed"] {
        assert_eq!(play(&mut *engine, agent, 2000, 1).0, 0, "{agent}");
    }
}

/// What is planned begins anew where the state is not that of the plan.
#[test]
fn plans_begin_anew() {
    let mut engine = open(&own("three_locks"));
    let mut player = player(&*engine, "uct+factored", 1);
    let (mut state, mut rounds) = (engine.initial(), 0);
    loop {
        let position = engine.examine(&state);
        if position.terminal {
            assert_eq!(position.goals[0], [100]);
            break;
        }
        let turn = Turn {
            engine: &*engine,
            role: 0,
            state: &state,
            position: &position,
            budget: SearchBudget::Simulations(10),
        };
        let planned = player.think(&turn, &mut |_| {}).unwrap().chosen;
        // Something else than was planned, twice.
        let other = position.legal[0].iter().find(|&&mv| mv != planned);
        let made = *other.filter(|_| rounds < 2).unwrap_or(&planned);
        state = engine.next(&state, &[made]);
        rounds += 1;
    }
    assert!(rounds <= 18);
}

/// A plan that reaches the highest goal leaves nothing to search for, and a budget of nothing takes
/// no time for planning.
#[test]
fn a_certain_plan_ends_the_search() {
    let engine = open(&own("three_locks"));
    let mut player = player(&*engine, "uct+factored", 1);
    let state = engine.initial();
    player.ponder(&state, 0, SearchBudget::Simulations(0), &mut |_| {});
    assert!(!player.is_exhausted());
    player.ponder(&state, 0, SearchBudget::Simulations(10), &mut |_| {});
    assert!(player.is_exhausted());
}

/// Games without parts, and of several roles, are played as without the component.
#[test]
fn other_games_are_left_alone() {
    for game in ["peg_solitaire", "tictactoe"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut engine = open(&folder.join(format!("../games/{game}.kif")));
        let mut first = |agent| {
            let mut player = player(&*engine, agent, 3);
            let (state, position) = {
                let state = engine.initial();
                let position = engine.examine(&state);
                (state, position)
            };
            let turn = Turn {
                engine: &*engine,
                role: 0,
                state: &state,
                position: &position,
                budget: SearchBudget::Simulations(500),
            };
            let found = player.think(&turn, &mut |_| {}).unwrap();
            (found.chosen, found.evaluations)
        };
        assert_eq!(first("uct"), first("uct+factored"), "{game}");
    }
}

/// The corpus's Incredible: two towers and a piece of gold, with which the game ends.
#[test]
#[ignore = "needs the public corpus"]
fn corpus_sums_are_solved() {
    let path = gdl_testing::corpus().join("games/incredible.kif");
    let mut engine = open(&path);
    assert_eq!(play(&mut *engine, "uct+factored", 100, 1), (100, 0));
}
