//! What is known of the structure of games, besides how they are played.

use crate::factors::find_factors_later;
use crate::goal_conditions::find_goal_conditions_later;
use crate::symmetries::find_symmetries_later;
use gdl_runtime::lane_engine::LaneEngine;
use gdlc::rules::Program;

/// The engine of a program, which finds symmetries, parts of the game and the conditions of its
/// goals when they are asked for.
#[must_use]
pub fn find_structure_later(engine: LaneEngine, program: &Program) -> LaneEngine {
    let engine = find_symmetries_later(engine, program);
    let engine = find_factors_later(engine, program);
    find_goal_conditions_later(engine, program)
}
