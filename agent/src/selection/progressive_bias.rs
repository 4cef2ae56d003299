//! Progressive bias: knowledge counts until simulations outweigh it.

use super::history::HistoryHeuristic;
use super::{Knowledge, MoveChoice};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Continuations;

/// The component.
pub const COMPONENT: Component = Component {
    name: "progressive-bias",
    slot: Slot::Knowledge,
    summary: "W·H(a)/(n + 1) is added to the value of a move tried n times, where H(a) is the \
              average return of all simulations in which the role made the move, in whatever \
              state; untried moves compete by W·H(a)",
    source: "Chaslot et al. 2007; Finnsson and Björnsson 2009, section 5",
    parameters: &[Parameter {
        name: "weight",
        meaning: "W, the weight of H(a) for an untried move",
        kind: ParameterKind::Number {
            default: 1.0,
            range: 0.0..=1e6,
        },
    }],
    build: |builder, values, _| builder.knowledge(ProgressiveBias::new(values.get(0) as f32)),
};

/// Progressive bias (Chaslot, Winands, Uiterwijk, van den Herik and Bouzy 2007), one of
/// the progressive strategies of section 5 of Finnsson and Björnsson 2009.
///
/// The published knowledge is about Go. That of a general player is what simulations have
/// shown of moves: their average return in whatever state, 100 for moves never made. With
/// it, not every move has to be tried: an untried one is worth W·H(a) and explored as if
/// tried once. The publication leaves untried moves open.
///
/// Cost: all moves of all simulations are observed, and each is counted.
#[derive(Debug)]
pub struct ProgressiveBias {
    weight: f32,
    history: HistoryHeuristic,
}

impl ProgressiveBias {
    /// With the weight of knowledge.
    #[must_use]
    pub fn new(weight: f32) -> Self {
        Self {
            weight,
            history: HistoryHeuristic::default(),
        }
    }
}

impl Knowledge for ProgressiveBias {
    fn apply(&mut self, choice: &MoveChoice<'_>, values: &mut [f32]) {
        let moves = choice.edges.iter().zip(choice.scores);
        for (value, (edge, score)) in values.iter_mut().zip(moves) {
            let known = self.history.value(choice.role, edge.mv);
            *value += self.weight * known / (score.tries as f32 + 1.0);
        }
    }

    fn rates_untried(&self) -> bool {
        true
    }

    fn learn(&mut self, inside: &[u32], continuations: &Continuations) {
        self.history.learn(inside, continuations);
    }
}
