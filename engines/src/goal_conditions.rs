//! Conditions of goals, in terms of their engines' fluent and role numbers.

use crate::conditions::{conditions_of, fluent_numbers};
use gdl_runtime::goal_conditions::GoalConditions;
use gdl_runtime::layout::Layout;
use gdlc::ground::{GroundingBudget, ground};
use gdlc::propnet::assemble;
use gdlc::propnet::passes::run_passes;
use gdlc::rules::Program;
use std::sync::Arc;
use std::time::Duration;

/// Goal conditions are looked for in games with at most this number of rule instances. Only
/// components that an agent asks for by name need them, so the bound is wider than that for
/// what every player looks for.
const MOST_INSTANCES: u64 = 300_000;

/// The time limit for grounding.
const LONGEST_GROUNDING: Duration = Duration::from_secs(2);

/// The conditions of all goals; `None` if the game is too large or its goals are recursive.
pub(crate) fn find_goal_conditions(
    program: &Program,
    layout: &Layout,
) -> Option<Arc<GoalConditions>> {
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
    Some(Arc::new(GoalConditions {
        goals: goals.collect::<Option<_>>()?,
        conditions: conditions_of(&outputs, &net, &fluent_numbers(layout))?,
    }))
}
