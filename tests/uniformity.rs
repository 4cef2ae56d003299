//! Engines choose moves uniformly: lanes whose moves are not forced make every joint
//! legal move equally often. So the moves of each role are equally likely, and roles
//! choose independently.

use crate::common;
use gdl_engines::{EngineKind, EngineOptions, load_builtin};
use gdl_runtime::engine::{Engine, State};
use gdl_runtime::lanes::Width;
use gdl_runtime::perft;
use gdl_testing::chi_square;
use gdlc::source::Source;
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Average number of draws per possible successor.
const DRAWS_PER_SUCCESSOR: usize = 100;

fn seed() -> u64 {
    gdl_testing::seed_or(5)
}

/// The narrowest lanes, and the widest of every level.
fn lanes() -> Vec<EngineOptions> {
    let narrowest = EngineOptions {
        width: Some(Width::W64),
        ..EngineOptions::default()
    };
    let mut lanes = common::levels();
    lanes.push(narrowest);
    lanes
}

fn net(source: &Arc<Source>, options: &EngineOptions) -> Box<dyn Engine> {
    gdl_engines::load(source, EngineKind::Net, options).expect("the game fits")
}

/// Tests the initial state and the states of some random games; returns the number of
/// states at which there was a choice.
fn assert_uniform_everywhere(engine: &mut dyn Engine, games: usize) -> usize {
    let seed = seed();
    let mut rng = StdRng::seed_from_u64(seed);
    let mut tested = 0;
    for _ in 0..games {
        let mut state = engine.initial();
        for step in 0..30 {
            let position = engine.examine(&state);
            if position.terminal {
                break;
            }
            let case = format!("{}, seed {seed}, step {step}", engine.name());
            tested += usize::from(assert_uniform_at(engine, &state, &case));
            let joint = common::random_joint(&position, &mut rng);
            state = engine.next(&state, &joint);
        }
    }
    tested
}

/// Compares how often free lanes reach each successor with the number of joint moves
/// that lead to it. Returns whether there was a choice.
fn assert_uniform_at(engine: &mut dyn Engine, state: &State, case: &str) -> bool {
    let mut weights: BTreeMap<State, u64> = BTreeMap::new();
    let position = engine.examine(state);
    perft::for_each_joint(&position, |joint| {
        *weights.entry(engine.next(state, joint)).or_default() += 1;
    });
    if weights.len() < 2 {
        return false;
    }
    let mut seen: BTreeMap<State, u64> = weights.keys().map(|next| (next.clone(), 0)).collect();
    let mut lanes = engine.lanes(seed());
    for _ in 0..(weights.len() * DRAWS_PER_SUCCESSOR).div_ceil(lanes.count()) {
        (0..lanes.count()).for_each(|lane| lanes.load(lane, state));
        lanes.evaluate();
        lanes.advance();
        for lane in 0..lanes.count() {
            let next = lanes.state(lane);
            let Some(count) = seen.get_mut(&next) else {
                panic!("{case}: no joint move leads to {:?}", engine.facts(&next));
            };
            *count += 1;
        }
    }
    let counts: Vec<u64> = seen.into_values().collect();
    let weights: Vec<f64> = weights.into_values().map(|weight| weight as f64).collect();
    chi_square::assert_weighted(&counts, &weights, case);
    true
}

/// Both players share one choice, since only one of them moves at a time.
#[test]
fn players_in_turn_choose_uniformly() {
    for options in lanes() {
        for name in ["tictactoe", "connect_four"] {
            let mut engine = net(&common::game(name), &options);
            assert!(assert_uniform_everywhere(engine.as_mut(), 2) > 10, "{name}");
        }
    }
}

#[test]
fn simultaneous_players_choose_uniformly_and_independently() {
    for options in lanes() {
        let mut engine = net(&common::game("tron"), &options);
        assert!(assert_uniform_everywhere(engine.as_mut(), 4) > 10);
    }
}

#[test]
fn compiled_games_choose_uniformly() {
    for options in lanes() {
        for name in ["tictactoe", "tron"] {
            let width = options.width();
            let mut engine = load_builtin(name, width).expect("the game is built in");
            assert!(assert_uniform_everywhere(&mut engine, 2) > 6, "{name}");
        }
    }
}

/// Moves come in groups of 3, 5 and 2, one group at a time: the moves of the largest
/// group are the candidates, and the others share them. Blue has four more moves that
/// are always legal.
const GROUPS: &str = "
(role red)
(role blue)
(init (mode a))
(after a b) (after b c) (after c a)
(option a 1) (option a 2) (option a 3)
(option b 1) (option b 2) (option b 3) (option b 4) (option b 5)
(option c 4) (option c 5)
(<= (legal ?p (go ?m ?n)) (role ?p) (true (mode ?m)) (option ?m ?n))
(<= (legal blue (stay ?n)) (option b ?n) (distinct ?n 5))
(<= (next (made ?p ?m ?n)) (does ?p (go ?m ?n)))
(<= (next (stayed ?n)) (does blue (stay ?n)))
(<= (next (mode ?n)) (true (mode ?m)) (after ?m ?n))
(<= terminal (true (made red c 5)))
(<= (goal ?p 50) (role ?p))
";

#[test]
fn moves_that_share_a_candidate_are_chosen_uniformly() {
    let source = Source::new("groups.kif", GROUPS);
    let program = gdl_engines::input::check(Arc::clone(&source)).expect("the rules are sound");
    let plan = gdlc::compile::compile(&program, &gdlc::compile::CompileOptions::default())
        .expect("the game fits")
        .plan;
    let candidates: Vec<usize> = plan
        .choices
        .iter()
        .map(|choice| choice.candidates)
        .collect();
    assert_eq!((plan.moves.len(), candidates), (10 + 14, vec![5, 5 + 4]));
    for options in lanes() {
        let mut engine = net(&source, &options);
        assert!(assert_uniform_everywhere(engine.as_mut(), 3) > 6);
    }
}

/// The totals above would not detect an engine that is only fair on average over its
/// lanes; here each lane is tested separately.
#[test]
fn every_lane_chooses_uniformly() {
    let source = Source::new("groups.kif", GROUPS);
    let engine = net(&source, &EngineOptions::default());
    let mut lanes = engine.lanes(seed());
    let initial = engine.initial();
    let mut seen: Vec<BTreeMap<State, u64>> = vec![BTreeMap::new(); lanes.count()];
    for _ in 0..500 {
        (0..lanes.count()).for_each(|lane| lanes.load(lane, &initial));
        lanes.evaluate();
        lanes.advance();
        for (lane, seen) in seen.iter_mut().enumerate() {
            *seen.entry(lanes.state(lane)).or_default() += 1;
        }
    }
    for (lane, seen) in seen.into_iter().enumerate() {
        // Red has three moves, blue seven.
        assert_eq!(seen.len(), 3 * 7, "lane {lane}");
        let counts: Vec<u64> = seen.into_values().collect();
        chi_square::assert_uniform(&counts, &format!("seed {}, lane {lane}", seed()));
    }
}
