//! The value of captures, in games with several kinds of pieces.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::{Move, Role, lanes_of};

use super::board::{Board, NOBODY};
use super::values::{Rate, Values};
use crate::episode::Episode;
use crate::playout::weights::choose_by_gibbs;
use crate::playout::{Manner, Observed, Playout, Situation};

/// The worth of moves that capture nothing.
const QUIET: f32 = -100.0;

/// Q(a) = −(2·θ(captured piece) + θ(capturing piece)) for captures, −100 for
/// other moves, each θ from the view of the role that moves.
///
/// The view makes the signs come out right: to the role that moves, the captured
/// piece is worth less than nothing, and its own more. So it prefers to capture
/// much with little, whether the search is for it or for its opponent; taken as
/// the paper prints it for the opponent's moves too, the formula would let the
/// opponent spare what is worth most.
#[derive(Debug)]
pub(super) struct Captures {
    board: Board,
    values: Values,
    temperature: f32,
    on: Vec<u32>,
    worths: Vec<f32>,
}

impl Captures {
    /// A feature is the number of pieces of a kind.
    pub(super) fn new(board: Board, rate: Rate, temperature: f32) -> Self {
        let stands = board.stands.iter();
        let features = stands.map(|stand| stand.map(|stand| stand.piece)).collect();
        Self {
            values: Values::new(features, board.pieces.len(), rate),
            board,
            temperature,
            on: Vec::new(),
            worths: Vec::new(),
        }
    }

    /// What a capture is worth on the board in `on`; nothing for other moves.
    fn capture(&self, role: Role, mv: Move) -> Option<f32> {
        let travel = self.board.travel(role, mv.0)?;
        let from = self.on[travel.from? as usize];
        let to = self.on[travel.to as usize];
        (from != NOBODY && to != NOBODY).then(|| {
            let worth = |piece| self.values.worth(role, piece);
            -(2.0 * worth(to) + worth(from))
        })
    }
}

impl Playout for Captures {
    fn manner(&mut self) -> Manner<'_> {
        Manner::ByHand
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        let mut on = std::mem::take(&mut self.on);
        self.board.occupy(lanes_of(situation.state), &mut on);
        self.on = on;
        let mut worths = std::mem::take(&mut self.worths);
        let captures = situation
            .moves
            .iter()
            .map(|&mv| self.capture(situation.role, mv));
        worths.clear();
        let mut quiet = true;
        worths.extend(captures.map(|worth| {
            quiet &= worth.is_none();
            worth.unwrap_or(QUIET)
        }));
        self.worths = worths;
        if quiet {
            return random.random_range(0..situation.moves.len());
        }
        choose_by_gibbs(self.worths.iter().copied(), self.temperature, random)
    }

    fn observes(&self) -> Observed {
        Observed::States
    }

    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        self.values.learn(role, episode);
    }
}
