//! Sufficiency threshold: no exploration where some move is good enough.

use super::{Exploration, MoveChoice};
use crate::component::{Component, Parameter, ParameterKind, Slot};

/// The component.
pub const COMPONENT: Component = Component {
    name: "sufficiency",
    slot: Slot::Exploration,
    summary: "C = 0 at nodes where the value of some tried move exceeds α, so that simulations \
              decide between good moves instead of finding out how bad the others are",
    source: "Gudmundsson and Björnsson 2013; Świechowski et al. 2015, section 2.2.1",
    parameters: &[Parameter {
        name: "alpha",
        meaning: "α, the value beyond which a move is good enough, in goal points",
        kind: ParameterKind::Number {
            default: 80.0,
            range: 0.0..=100.0,
        },
    }],
    build: |builder, values, _| {
        builder.exploration(Sufficiency {
            threshold: values.get(0) as f32,
        });
    },
};

/// The sufficiency threshold (Gudmundsson and Björnsson 2013; section 2.2.1 of the survey
/// of Świechowski et al. 2015): C while all Q(s,a) ≤ α, 0 as soon as one exceeds α.
///
/// It is meant for games whose results are few and certain: there, a move that is good
/// enough is either best or soon refuted. Untried moves still come first. What counts is
/// the value that the selection rule works with, by whatever estimate; moves that need no
/// more simulations do not count.
#[derive(Debug, Clone, Copy)]
pub struct Sufficiency {
    /// α, in goal points.
    pub threshold: f32,
}

impl Exploration for Sufficiency {
    /// Whether some tried move is good enough.
    fn is_over(&self, choice: &MoveChoice<'_>, values: &[f32]) -> bool {
        let mut tried = values.iter().zip(choice.scores);
        tried.any(|(&value, score)| score.tries > 0 && value > self.threshold)
    }
}
