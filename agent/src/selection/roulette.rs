//! Roulette-wheel selection: moves in proportion to their average returns.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{MoveChoice, SelectionRule};
use crate::component::{Component, Slot};
use crate::drawing::index_at;
use crate::playout::Playout;
use crate::tree::edge::SolvedStatus;

/// The component.
pub const COMPONENT: Component = Component {
    name: "roulette",
    slot: Slot::Selection,
    summary: "moves in proportion to Q(s,a), untried ones first; a move that is proven to win \
              comes before all others, and those proven to lose are avoided",
    source: "Świechowski et al. 2015, section 2.5.1",
    parameters: &[],
    build: |builder, _, _| builder.selection(|_| Roulette::default()),
};

/// Roulette-wheel selection (section 2.5.1 of the survey of Świechowski et al. 2015):
/// P(a) = Q(s,a) / Σ Q(s,b).
///
/// Without any score yet, moves are equally likely. A win one move ahead, which the survey
/// prefers to the wheel, is proven here, and so is a loss, which the survey leaves to the
/// wheel. Estimates, exploration and first-play urgency, which are parts of UCT, do not
/// apply.
#[derive(Debug, Default)]
pub struct Roulette {
    scores: Vec<f32>,
}

/// The score of a win.
const WON: f32 = 100.0;

impl SelectionRule for Roulette {
    fn choose(
        &mut self,
        choice: &MoveChoice<'_>,
        _playout: &mut dyn Playout,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let moves = || choice.edges.iter().zip(choice.scores);
        let is_win = |status, mean| status == SolvedStatus::Proven && mean >= WON;
        if let Some(win) = moves().position(|(edge, score)| is_win(edge.status, score.mean)) {
            return win;
        }
        let has_untried =
            moves().any(|(edge, score)| score.tries == 0 && edge.status != SolvedStatus::Pruned);
        self.scores.clear();
        self.scores.extend(
            moves().map(|(edge, score)| match (edge.status, has_untried) {
                (SolvedStatus::Pruned, _) => 0.0,
                (_, true) => f32::from(u8::from(score.tries == 0)),
                (_, false) => score.mean,
            }),
        );
        spin(&self.scores, random)
    }
}

/// An index drawn in proportion to the scores; any if all are 0.
fn spin(scores: &[f32], random: &mut Xoshiro256PlusPlus) -> usize {
    let total: f32 = scores.iter().sum();
    if total <= 0.0 {
        return random.random_range(0..scores.len());
    }
    let point = random.random::<f32>() * total;
    let last = || scores.iter().rposition(|&score| score > 0.0);
    index_at(point, scores.iter().copied())
        .or_else(last)
        .unwrap_or(0)
}
