//! The value of cells, in games where all pieces of a player are alike.

use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::{Move, Role};

use super::board::{Board, Stand};
use super::values::{Rate, Values};
use crate::episode::Episode;
use crate::playout::{Manner, Observed, Playout, Situation, Weights};

/// Q(a) = c·θ(own piece on the cell that a goes to), θ from the view of the role
/// that moves: both sides go where it does them good.
///
/// Moves that go nowhere are worth 0.
#[derive(Debug)]
pub(super) struct Cells {
    values: Values,
    /// c.
    factor: f32,
    /// For every role its moves and the features that they bring about.
    goals: Vec<(Role, Move, u32)>,
    weights: Weights,
}

impl Cells {
    /// A feature is a piece on a cell; `own` is the piece of every role.
    pub(super) fn new(
        board: &Board,
        own: &[Option<u32>],
        moves: &[usize],
        rate: Rate,
        factor: f32,
        temperature: f32,
    ) -> Self {
        let pieces = board.pieces.len() as u32;
        let feature = |stand: Stand| stand.cell * pieces + stand.piece;
        let features = board.stands.iter().map(|stand| stand.map(feature));
        let mut goals = Vec::new();
        for (role, (travels, own)) in board.travels.iter().zip(own).enumerate() {
            let Some(piece) = *own else { continue };
            for (mv, travel) in travels.iter().enumerate() {
                if let Some(cell) = travel.map(|travel| travel.to) {
                    goals.push((role, Move(mv as u32), feature(Stand { cell, piece })));
                }
            }
        }
        Self {
            values: Values::new(features.collect(), board.cells * board.pieces.len(), rate),
            factor,
            goals,
            weights: Weights::new(moves, 0.0, temperature),
        }
    }
}

impl Playout for Cells {
    fn manner(&mut self) -> Manner<'_> {
        Manner::ByWeight(&mut self.weights)
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.weights.choose(situation, random)
    }

    fn observes(&self) -> Observed {
        Observed::States
    }

    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        self.values.learn(role, episode);
        for &(role, mv, feature) in &self.goals {
            let worth = self.values.worth(role, feature);
            self.weights.set(role, mv, self.factor * worth);
        }
    }
}
