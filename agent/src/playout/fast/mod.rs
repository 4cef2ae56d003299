//! FAST: playouts guided by learned values of pieces and cells.
//!
//! `board_model` finds a board in the names of a game, `board_survey` plays a few random
//! games to find out what names do not say, `values` learns, and `pieces` and `cells`
//! choose moves by what was learned. In a game without a board, or with several kinds
//! of pieces but no captures by moving onto a cell, the component adds nothing to the
//! agent.

mod cells;
mod pieces;
mod values;

use crate::component::builder::{AgentBuilder, GameContext};
use crate::component::{Component, Parameter, ParameterKind, ParameterValues, Slot};
use crate::playout::board_model::BoardModel;
use crate::playout::board_survey::Survey;
use cells::{Cells, Weighing};
use pieces::Captures;
use values::Rate;

/// The component: the Features-to-Action Sampling Technique.
pub const COMPONENT: Component = Component {
    name: "fast",
    slot: Slot::Playout,
    summary: "learns by TD(λ) the values of kinds of pieces, or of cells if all pieces of a \
              player are alike, and moves in proportion to exp(Q(a)/τ), where Q(a) rates \
              captures by the pieces, or moves to a cell by c times its value",
    source: "Björnsson and Finnsson 2010",
    parameters: &[
        Parameter {
            name: "tau",
            meaning: "τ, the temperature, in goal points: the lower, the greedier",
            kind: ParameterKind::Number {
                default: 1.0,
                range: 0.01..=10_000.0,
            },
        },
        Parameter {
            name: "c",
            meaning: "c, the factor of the value of cells, which is in goal points like that of pieces",
            kind: ParameterKind::Number {
                default: 0.05,
                range: 0.0..=10_000.0,
            },
        },
        Parameter {
            name: "lambda",
            meaning: "λ, the weight of later returns",
            kind: ParameterKind::Number {
                default: 0.99,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "mu",
            meaning: "μ, the share of the error of a simulation that is learned from it",
            kind: ParameterKind::Number {
                default: 0.2,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "exact",
            meaning: "1: cells without rounding weights, but slowly, state by state",
            kind: ParameterKind::Number {
                default: 0.0,
                range: 0.0..=1.0,
            },
        },
    ],
    build,
};

/// Uses pieces if there are several kinds per player, otherwise cells.
fn build(builder: &mut AgentBuilder, given: &ParameterValues, game: &GameContext<'_>) {
    let board = game.layout.as_deref().and_then(BoardModel::find);
    let (Some(board), Some(engine)) = (board, game.engine) else {
        return;
    };
    let (temperature, factor) = (given.get(0) as f32, given.get(1) as f32);
    let rate = Rate {
        lambda: given.get(2) as f32,
        mu: given.get(3) as f32,
    };
    let mut lanes = engine.lanes(0);
    let survey = Survey::make(&board, &mut *lanes, &engine.initial());
    if board.pieces.len() > game.moves.len() {
        if survey.captures {
            builder.playout(Captures::new(board, rate, temperature));
        }
    } else if survey.own.iter().any(Option::is_some) {
        let weighing = Weighing {
            temperature,
            exact: given.get(4) > 0.0,
        };
        let cells = Cells::new(&board, &survey.own, rate, factor, weighing);
        builder.playout(cells);
    }
}
