//! Unexplored action urgency: a good move may be made again before all others have been
//! tried.

use super::{FirstPlayUrgency, Frontier};
use crate::component::{Component, Parameter, ParameterKind, Slot};

/// The component.
pub const COMPONENT: Component = Component {
    name: "urgency",
    slot: Slot::FirstPlay,
    summary: "where some moves are untried, the best of the tried ones is made again if its \
              value reaches 50 + Cp·sqrt(ln N(s)·untried/all); otherwise the playout policy \
              picks an untried one",
    source: "Finnsson 2012, algorithm 2",
    parameters: &[
        Parameter {
            name: "outside",
            meaning: "1: the fraction of untried moves is outside the root, 0: inside, as printed",
            kind: ParameterKind::Number {
                default: 0.0,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "weight",
            meaning: "Cp as a fraction of C, which the paper writes as 2·Cp",
            kind: ParameterKind::Number {
                default: 0.5,
                range: 0.0..=100.0,
            },
        },
    ],
    build: |builder, values, _| {
        builder.first_play(Urgency {
            outside: values.get(0) >= 0.5,
            weight: values.get(1) as f32,
        });
    },
};

/// Unexplored action urgency (Finnsson 2012, algorithm 2).
///
/// As printed, the fraction of untried moves is inside the root, and the factor is Cp,
/// half the weight of exploration elsewhere in the paper. The text calls the formula
/// that of a move tried once with a draw, which would be `weight` 1.
#[derive(Debug, Clone, Copy)]
pub struct Urgency {
    /// Whether the fraction of untried moves is outside the root.
    pub outside: bool,
    /// Cp, in units of the selection rule's C.
    pub weight: f32,
}

/// The assumed value of an untried move.
const DRAW: f32 = 50.0;

impl Urgency {
    /// The value that a tried move must reach to be made again.
    fn urgency(&self, frontier: &Frontier) -> f32 {
        let share = frontier.untried as f32 / frontier.moves as f32;
        let visits = (frontier.visits.max(1) as f32).ln();
        let spread = if self.outside {
            visits.sqrt() * share
        } else {
            (visits * share).sqrt()
        };
        DRAW + self.weight * frontier.exploration * spread
    }
}

impl FirstPlayUrgency for Urgency {
    fn exploits(&mut self, frontier: &Frontier) -> bool {
        frontier.exploit >= self.urgency(frontier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_as_printed() {
        let frontier = |exploit| Frontier {
            exploit,
            untried: 4,
            moves: 16,
            visits: 12,
            exploration: 40.0,
        };
        let urgency = |outside, weight| Urgency { outside, weight };
        // ln 12 = 2.4849: 50 + 20·sqrt(2.4849/4) = 65.763.
        let printed = urgency(false, 0.5);
        assert!((printed.urgency(&frontier(0.0)) - 65.763).abs() < 1e-3);
        assert!(urgency(false, 0.5).exploits(&frontier(65.8)));
        assert!(!urgency(false, 0.5).exploits(&frontier(65.7)));
        // 50 + 40·sqrt(2.4849)/4 = 65.763 as well; 50 + 20·sqrt(2.4849)/4 = 57.882.
        let outside = urgency(true, 0.5).urgency(&frontier(0.0));
        assert!((outside - 57.882).abs() < 1e-3, "{outside}");
    }
}
