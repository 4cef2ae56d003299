//! What a search has found out about the moves of a state, for a page.

use gdl_agent::player::Turn;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::{SearchBudget, SearchResult};
use gdl_runtime::engine::{Engine, Move, Position, Role, State};

use crate::messages::ValuedMove;
use crate::pictures::Pictures;

/// What a search found out about a role's moves in a state.
pub(super) fn result(
    player: &SearchPlayer,
    engine: &dyn Engine,
    (state, position): (&State, &Position),
    role: Role,
) -> Option<SearchResult> {
    let turn = Turn {
        engine,
        role,
        state,
        position,
        budget: SearchBudget::Simulations(0),
    };
    player.result(&turn).ok()
}

/// The moves of a role with what a search found out about them, at most `most` of them.
pub(super) fn valued_moves(
    engine: &dyn Engine,
    result: &SearchResult,
    legal: &[Move],
    role: Role,
    pictures: &Pictures,
    most: usize,
) -> Vec<ValuedMove> {
    let visits = result
        .evaluations
        .iter()
        .map(|evaluation| evaluation.visits);
    let all: f64 = visits.map(f64::from).sum();
    // The chosen move comes first, the others by their visits.
    let mut evaluations = result.evaluations.clone();
    evaluations.sort_by_key(|evaluation| evaluation.mv != result.chosen);
    let shown = evaluations.iter().take(most);
    let valued = shown.map(|evaluation| ValuedMove {
        mv: pictures.move_text(engine.move_name(role, evaluation.mv)),
        index: legal
            .iter()
            .position(|&mv| mv == evaluation.mv)
            .unwrap_or(0),
        visits: evaluation.visits,
        share: f64::from(evaluation.visits) / all.max(1.0),
        value: evaluation.value,
        proven: evaluation.proven,
    });
    valued.collect()
}
