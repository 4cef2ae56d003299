//! Roles that get the same however the game ends, such as dice: no search may take them to prefer
//! a move.

use std::time::Duration;

use gdl_agent::agents::Agent;
use gdl_agent::learning::network::{ValueHeads, ValueNetwork};
use gdl_agent::learning::quantised::StateValues;
use gdl_agent::learning::{Learner, QuantisedNetwork};
use gdl_agent::player::Turn;
use gdl_agent::puct::{EvaluatedSearch, GoalModel, PuctSettings};
use gdl_agent::search::{MoveEvaluation, SearchBudget, SearchLimits, SearchResult};
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use gdl_runtime::stop_flag::StopFlag;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engines::{small_engine, small_engine_of_kind};

/// The evaluation of a move of the first role, by its name.
fn evaluation<'a>(engine: &dyn Engine, found: &'a SearchResult, name: &str) -> &'a MoveEvaluation {
    let is_named = |found: &&MoveEvaluation| engine.move_name(0, found.mv) == name;
    found.evaluations.iter().find(is_named).unwrap()
}

/// Asserts that betting is worth 25 points, which are not proven, and that the player keeps 50.
fn assert_unbiased(engine: &dyn Engine, found: &SearchResult, case: &str) {
    assert_eq!(
        engine.move_name(0, found.chosen),
        "keep",
        "{case}: {found:?}"
    );
    for name in ["roll", "join"] {
        let bet = evaluation(engine, found, name);
        assert!((bet.value - 25.0).abs() < 6.0, "{case}: {bet:?}");
        assert!(!bet.proven, "{case}: {bet:?}");
    }
    let keep = evaluation(engine, found, "keep");
    assert!((keep.value - 50.0).abs() < 1e-3, "{case}: {keep:?}");
}

#[test]
fn who_does_not_care_is_known_from_the_goals() {
    for kind in [EngineKind::Reference, EngineKind::Net] {
        let die = small_engine_of_kind("die", kind);
        assert_eq!(
            die.constant_goals(),
            [None, Some(100), Some(30)],
            "{kind:?}"
        );
        let gamble = small_engine_of_kind("gamble", kind);
        assert_eq!(gamble.constant_goals(), [None, None, Some(50)], "{kind:?}");
    }
    // Only the net finds that Bob cannot win.
    for (kind, bob) in [(EngineKind::Reference, None), (EngineKind::Net, Some(0))] {
        let kingmaker = small_engine_of_kind("kingmaker", kind);
        assert_eq!(kingmaker.constant_goals(), [None, bob, None], "{kind:?}");
    }
}

#[test]
fn playouts_expect_a_die_to_show_any_face() {
    let seed = gdl_testing::seed();
    for (kind, text) in [
        (EngineKind::Net, "uct+lanes(playouts=1)"),
        (EngineKind::Net, "uct+closed+lanes(playouts=1)"),
        (EngineKind::Reference, "uct"),
    ] {
        let agent: Agent = text.parse().unwrap();
        let mut engine = small_engine_of_kind("die", kind);
        let state = engine.initial();
        let position = engine.examine(&state);
        for step in 0..10 {
            let seed = seed.wrapping_add(step);
            let player = agent.search_player(&*engine, SearchLimits::default(), seed);
            let turn = Turn {
                engine: &*engine,
                role: 0,
                state: &state,
                position: &position,
                budget: SearchBudget::Simulations(20_000),
            };
            let found = player.unwrap().think(&turn, &mut |_| {}).unwrap();
            assert_unbiased(&*engine, &found, text);
        }
    }
}

#[test]
fn evaluation_expects_a_die_to_show_any_face() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    let mut engine = small_engine("die");
    let state = engine.initial();
    let (legal, layout) = (engine.examine(&state).legal, engine.layout().unwrap());
    let words = state.0.len();
    for _ in 0..10 {
        let network = ValueNetwork::random(64 * words, ValueHeads::PerRole(3), &mut random);
        let settings = PuctSettings::default();
        let goals = GoalModel::of(&layout);
        let mut search = EvaluatedSearch::new(engine.lanes(1), words, goals, settings);
        search.set_network(QuantisedNetwork::new(&network, 20.0), Default::default());
        search.set_root(&state);
        search.run(&mut |counts| counts.descents < 2000);
        let found = search.result(&state, 0, &legal[0]);
        assert_unbiased(&*engine, &found, "evaluation");
    }
}

#[test]
fn what_is_learned_of_a_die_is_the_same_for_all_states() {
    let engine = small_engine("die");
    let (initial, layout) = (engine.initial(), engine.layout().unwrap());
    let seed = gdl_testing::seed();
    let mut learner = Learner::new(engine.lanes(seed), &initial, &layout, seed).unwrap();
    let time = Duration::from_millis(300);
    learner.learn(time, &StopFlag::default(), &mut |_| {});
    let network = learner.network().unwrap();
    // Any features will do.
    let words = learner.learned().unwrap().network.features() / 64;
    let states: Vec<u64> = (0..8 * words as u64).collect();
    let mut values = StateValues::default();
    network.evaluate(&states[..words], &states, &mut values);
    for state in 0..8 {
        assert_eq!(values.of(state)[1..], [1.0, 0.3], "{state}");
    }
}
