//! The final move of searches whose result is a mixed strategy.

use gdl_runtime::engine::{Move, Role, State};

use super::searcher::Searcher;
use crate::simultaneous;

/// Draws a role's move from the strategies of one or several searchers, each of which
/// counts as often as it visited the state; `None` if they have none.
///
/// Until a searcher searches further, every call draws the same move.
pub(crate) fn draw<'a>(
    searchers: impl Iterator<Item = &'a Searcher> + Clone,
    state: &State,
    role: Role,
    legal: &[Move],
) -> Option<Move> {
    let mut shares = vec![0.0; legal.len()];
    for searcher in searchers.clone() {
        let visits = f64::from(searcher.visits(state));
        for (mv, probability) in searcher.strategy(state, role) {
            if let Some(index) = legal.iter().position(|&other| other == mv) {
                shares[index] += probability * visits;
            }
        }
    }
    let total: f64 = shares.iter().sum();
    let mut random = searchers.map(|searcher| &searcher.random).next()?.clone();
    shares.iter_mut().for_each(|share| *share /= total);
    (total > 0.0).then(|| legal[simultaneous::draw(&shares, &mut random)])
}
