//! Conditions of goals, in the numbers of their engines' fluents and roles.

use crate::conditions::{conditions_of, fluent_numbers};
use gdl_runtime::engine::Engine;
use gdl_runtime::goal_conditions::GoalConditions;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::layout::Layout;
use gdlc::ground::{GroundingBudget, ground};
use gdlc::propnet::assemble;
use gdlc::propnet::passes::run_passes;
use gdlc::rules::Program;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// They are looked for in games with at most this number of rule instances, whose propnet takes
/// seconds at most. No component needs them unless an agent asks for it by name, so that the
/// bound is wider than that of what every player looks for.
const MOST_INSTANCES: u64 = 300_000;

/// The time for grounding.
const LONGEST_GROUNDING: Duration = Duration::from_secs(2);

/// The engine of a program, which finds the conditions of the goals when they are asked for.
pub(crate) fn find_goal_conditions_later(engine: LaneEngine, program: &Program) -> LaneEngine {
    let Some(layout) = Engine::layout(&engine) else {
        return engine;
    };
    let program = program.clone();
    let found = OnceLock::new();
    engine.with_goal_condition_finder(Arc::new(move || {
        let find = || find_goal_conditions(&program, &layout).map(Arc::new);
        found.get_or_init(find).clone()
    }))
}

fn find_goal_conditions(program: &Program, layout: &Layout) -> Option<GoalConditions> {
    let budget = GroundingBudget {
        instances: MOST_INSTANCES,
        time: LONGEST_GROUNDING,
        ..GroundingBudget::default()
    };
    let net = run_passes(assemble(&ground(program, &budget).ok()?), &[]).0;
    let goals = net.goals.iter().map(|goal| {
        let name = &net.roles[goal.role];
        let role = layout.roles.iter().position(|role| role == name)?;
        Some((role, goal.value))
    });
    let outputs: Vec<_> = net.goals.iter().map(|goal| [goal.holds]).collect();
    Some(GoalConditions {
        goals: goals.collect::<Option<_>>()?,
        conditions: conditions_of(&outputs, &net, &fluent_numbers(layout))?,
    })
}
