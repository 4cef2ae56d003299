//! The conditions of goals that engines find agree with the goals themselves.

use crate::common;
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use gdl_runtime::goal_conditions::GoalConditions;
use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// The goal values of every role according to the conditions.
fn by_conditions(goals: &GoalConditions, state: &[u64], roles: usize) -> Vec<Vec<i32>> {
    let (mut holding, mut values) = (Vec::new(), vec![Vec::new(); roles]);
    goals.conditions.evaluate(state, &mut holding);
    for (&(role, value), holds) in goals.goals.iter().zip(holding) {
        if holds {
            values[role].push(value);
        }
    }
    values.iter_mut().for_each(|values| values.sort_unstable());
    values
}

/// Compares the goals in all states of random games.
fn compare(engine: &mut dyn Engine, goals: &GoalConditions, rng: &mut StdRng) {
    let mut state = engine.initial();
    loop {
        let position = engine.examine(&state);
        let found = by_conditions(goals, &state.0, position.goals.len());
        assert_eq!(found, position.goals);
        if position.terminal {
            return;
        }
        state = engine.next(&state, &common::random_joint(&position, rng));
    }
}

#[test]
fn conditions_are_those_of_the_goals() {
    let mut rng = StdRng::seed_from_u64(gdl_testing::seed());
    for game in [
        "tictactoe",
        "connect_four",
        "breakthrough",
        "othello",
        "tron",
        "yavalath",
    ] {
        let mut engine = common::load(&common::game(game), EngineKind::Net);
        let goals = engine.goal_condition_finder().expect("it has rules")();
        let goals = goals.unwrap_or_else(|| panic!("{game} is small"));
        (0..3).for_each(|_| compare(&mut *engine, &goals, &mut rng));
    }
}
