//! Opponent models: other roles search with other settings.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::playout::Playout;
use crate::selection::uct::Uct;
use crate::selection::{MoveChoice, SelectionRule};

/// The component.
pub const COMPONENT: Component = Component {
    name: "opponents",
    slot: Slot::Opponents,
    summary: "in the tree, roles other than the one the search is for choose by plain uct with a \
              constant of their own, and err now and then; without it, all roles search alike",
    source: "Świechowski and others 2015, section 7",
    parameters: &[
        Parameter {
            name: "c",
            meaning: "C of the others, in goal points: the higher, the less they see what is best",
            kind: ParameterKind::Number {
                default: 40.0,
                range: 0.0..=10_000.0,
            },
        },
        Parameter {
            name: "error",
            meaning: "the probability of a uniformly random move of another role",
            kind: ParameterKind::Number {
                default: 0.1,
                range: 0.0..=1.0,
            },
        },
    ],
    build: |builder, values, _| {
        let (exploration, error) = (values.get(0) as f32, values.get(1));
        builder.settings.opponents = Some(Box::new(OpponentModel::new(exploration, error)));
    },
};

/// A model of fallible opponents: how roles other than the one the search is for choose in
/// the tree (survey of 2015, section 7, which names opponent models as a challenge and
/// prescribes none).
///
/// With probability `error` such a role makes any of its moves, otherwise that of plain UCT
/// with a constant C of its own. The averages at their nodes, and so the values of our
/// moves, then count what the opponents are likely to do instead of what is best for them.
/// Proofs ignore the model: where values are proven, opponents do not err unless
/// the agent is also `unproven`. Playouts are those of the agent.
///
/// Cost: none per simulation but a random number for each choice of another role.
pub struct OpponentModel {
    rule: Uct,
    error: f64,
}

impl OpponentModel {
    /// With the exploration constant C of the other roles, in goal points, and the
    /// probability of their errors.
    #[must_use]
    pub fn new(exploration: f32, error: f64) -> Self {
        Self {
            rule: Uct::new(exploration),
            error,
        }
    }
}

impl SelectionRule for OpponentModel {
    fn choose(
        &mut self,
        choice: &MoveChoice<'_>,
        playout: &mut dyn Playout,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        if random.random_bool(self.error) {
            return random.random_range(0..choice.edges.len());
        }
        self.rule.choose(choice, playout, random)
    }
}
