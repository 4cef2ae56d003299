//! Choices in self-play where several roles choose at once: each considers its moves against those
//! that the others are likely to make.

use std::ops::Range;

use gdl_runtime::engine::Pick;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::choices::roulette;
use super::network_pair::{NetworkPair, player};
use super::quantised::StateValues;
use crate::expander::{Expander, Positions, append_repeated};
use crate::joint_table::{JointTable, JointValues};
use crate::odds::preference;

/// A position in which several roles choose.
#[derive(Debug)]
struct JointChoice {
    /// The index of its game.
    game: usize,
    table: JointTable,
    /// The indices of the states that the joint moves of the table lead to.
    successors: Range<usize>,
}

/// The positions of a ply in which several roles choose.
#[derive(Default)]
pub(super) struct JointChoices {
    choices: Vec<JointChoice>,
    states: Vec<u64>,
    picks: Vec<Option<Pick>>,
    successors: Positions,
    values: StateValues,
    /// The preferences of a role among its moves.
    preferences: Vec<f64>,
}

impl JointChoices {
    pub(super) fn clear(&mut self) {
        self.choices.clear();
        self.states.clear();
        self.picks.clear();
    }

    /// Adds a choice among the joint moves of a table, in the present position of a game.
    pub(super) fn add(&mut self, positions: &Positions, game: usize, table: JointTable) {
        let first = self.choices.last().map_or(0, |last| last.successors.end);
        let count = table.len();
        table.append_to(&mut self.picks, positions, game);
        append_repeated(positions.state(game), count, &mut self.states);
        self.choices.push(JointChoice {
            game,
            table,
            successors: first..first + count,
        });
    }

    /// Computes what the joint moves of all choices lead to.
    pub(super) fn advance(&mut self, expander: &mut Expander) {
        expander.advance_features(&self.states, &self.picks, &mut self.successors);
    }

    /// What the joint moves of all choices lead to.
    pub(super) fn successors(&self) -> &Positions {
        &self.successors
    }

    /// Draws a joint move for each choice. `chosen` gets the index of the game, that of the
    /// successor, and the successor's values.
    pub(super) fn choose(
        &mut self,
        positions: &Positions,
        networks: NetworkPair<'_>,
        random: &mut Xoshiro256PlusPlus,
        chosen: &mut dyn FnMut(usize, usize, &[f32]),
    ) {
        for choice in &self.choices {
            let range = choice.successors.clone();
            let origin = positions.features(choice.game);
            let first = range.start;
            let is_same = std::ptr::eq(networks[0], networks[1]);
            let players = if is_same { &networks[..1] } else { &networks };
            // The values of the last one are those that are told.
            let solved: Vec<JointValues> = players
                .iter()
                .map(|network| {
                    let (range, values) = (range.clone(), &mut self.values);
                    network.evaluate_positions(origin, &self.successors, range, values);
                    choice.table.solve(&self.values)
                })
                .collect();
            let preferences = &mut self.preferences;
            let drawn: Vec<usize> = (0..solved[0].moves.len())
                .map(|role| {
                    let player = player(choice.game, role) % players.len();
                    let moves = &solved[player].moves[role];
                    preferences.clear();
                    preferences.extend(moves.iter().map(|&value| preference(value)));
                    roulette(preferences, random)
                })
                .collect();
            let number = choice.table.number(drawn.into_iter());
            chosen(choice.game, first + number, self.values.of(number));
        }
    }
}
