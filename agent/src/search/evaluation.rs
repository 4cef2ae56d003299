//! What a search found out about one move.

use super::candidate::Candidate;
use crate::tree::edge::SolvedStatus;
use gdl_runtime::engine::Move;

/// A player's evaluation of one of its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveEvaluation {
    /// The move.
    pub mv: Move,
    /// The number of simulations that began with it.
    pub visits: u32,
    /// Its value, 0 to 100: the average return of those simulations, unless a component
    /// of the search estimates it otherwise.
    pub value: f64,
    /// Whether that value is proven, or need not be known.
    pub proven: bool,
    /// Whether another move is proven to be at least as good, so that the value of this one
    /// means little.
    pub pruned: bool,
}

/// The evaluations of candidates, most visited first.
pub(crate) fn evaluations(candidates: &[Candidate]) -> Vec<MoveEvaluation> {
    let evaluation = |candidate: &Candidate| MoveEvaluation {
        mv: candidate.edge.mv,
        visits: candidate.edge.visits,
        value: candidate.value,
        proven: candidate.edge.status != SolvedStatus::Open,
        pruned: candidate.edge.status == SolvedStatus::Pruned,
    };
    let mut evaluations: Vec<MoveEvaluation> = candidates.iter().map(evaluation).collect();
    evaluations.sort_by_key(|evaluation| std::cmp::Reverse(evaluation.visits));
    evaluations
}
