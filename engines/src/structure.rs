//! What is known of the structure of games, beyond how they are played.

use crate::factors::find_factors;
use crate::goal_conditions::find_goal_conditions;
use crate::reachability::find_reachability;
use crate::symmetries::find_symmetries;
use gdl_runtime::engine::Engine;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::layout::Layout;
use gdlc::rules::Program;
use std::sync::{Arc, OnceLock};

/// A game and the numbers that an engine gives to its fluents, moves and roles.
struct NumberedGame {
    program: Program,
    layout: Arc<Layout>,
}

/// The engine of a program, which finds symmetries, parts of the game, the conditions of its
/// goals and what roles can reach when they are asked for.
#[must_use]
pub fn find_structure_later(engine: LaneEngine, program: &Program) -> LaneEngine {
    let Some(layout) = Engine::layout(&engine) else {
        return engine;
    };
    let (program, width) = (program.clone(), engine.width());
    let game = Arc::new(NumberedGame { program, layout });
    engine
        .with_automorphism_finder(later(&game, find_symmetries))
        .with_factor_finder(later(&game, find_factors))
        .with_goal_condition_finder(later(&game, find_goal_conditions))
        .with_reachability_finder(later(&game, move |program, layout| {
            find_reachability(program, layout, width)
        }))
}

/// A finder that searches when first called, and caches the result.
fn later<T: Clone + Send + Sync + 'static>(
    game: &Arc<NumberedGame>,
    find: impl Fn(&Program, &Layout) -> T + Send + Sync + 'static,
) -> Arc<dyn Fn() -> T + Send + Sync> {
    let (game, found) = (Arc::clone(game), OnceLock::new());
    Arc::new(move || {
        let find = || find(&game.program, &game.layout);
        found.get_or_init(find).clone()
    })
}
