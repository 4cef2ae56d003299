//! The value of captures, in games with several kinds of pieces.

use gdl_runtime::engine::{Move, Role, lanes_of};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::values::{FeatureValues, Rate};
use crate::episode::Episode;
use crate::playout::board_model::{BoardModel, NO_PIECE};
use crate::playout::history::MoveHistory;
use crate::playout::weights::choose_by_gibbs;
use crate::playout::{Observed, Playout, SamplingMode, Situation};

/// The value of moves that capture nothing.
const QUIET: f32 = -100.0;

/// Q(a) = −(2·θ(captured piece) + θ(capturing piece)) for captures, −100 for other
/// moves, with each θ from the point of view of the role that moves.
///
/// The point of view gives the right signs: to the role that moves, the captured piece
/// has a negative value and its own a positive one. It therefore prefers to capture
/// much with little, whether the search is for it or for its opponent. Applied as
/// printed in the paper to the opponent's moves too, the formula would make the
/// opponent spare the most valuable pieces.
#[derive(Debug)]
pub(super) struct Captures {
    board: BoardModel,
    values: FeatureValues,
    temperature: f32,
    on: Vec<u32>,
    move_values: Vec<f32>,
}

impl Captures {
    /// A feature is the number of pieces of a kind.
    pub(super) fn new(board: BoardModel, rate: Rate, temperature: f32) -> Self {
        let stands = board.stands.iter();
        let features = stands.map(|stand| stand.map(|stand| stand.piece)).collect();
        Self {
            values: FeatureValues::new(features, board.pieces.len(), rate),
            board,
            temperature,
            on: Vec::new(),
            move_values: Vec::new(),
        }
    }

    /// The value of a capture on the board in `on`; `None` for other moves.
    fn capture(&self, role: Role, mv: Move) -> Option<f32> {
        let travel = self.board.travel(role, mv.0)?;
        let from = self.on[travel.from? as usize];
        let to = self.on[travel.to as usize];
        (from != NO_PIECE && to != NO_PIECE).then(|| {
            let value = |piece| self.values.value(role, piece);
            -(2.0 * value(to) + value(from))
        })
    }

    /// Values the moves in `move_values`. Returns whether any of them is a capture.
    fn rate(&mut self, situation: &Situation<'_>) -> bool {
        let mut on = std::mem::take(&mut self.on);
        self.board.occupy(lanes_of(situation.state), &mut on);
        self.on = on;
        let mut move_values = std::mem::take(&mut self.move_values);
        let captures = situation
            .moves
            .iter()
            .map(|&mv| self.capture(situation.role, mv));
        move_values.clear();
        let mut quiet = true;
        move_values.extend(captures.map(|value| {
            quiet &= value.is_none();
            value.unwrap_or(QUIET)
        }));
        self.move_values = move_values;
        !quiet
    }
}

impl Playout for Captures {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::PerLane
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        if !self.rate(situation) {
            return random.random_range(0..situation.moves.len());
        }
        choose_by_gibbs(self.move_values.iter().copied(), self.temperature, random)
    }

    fn preferences(
        &mut self,
        situation: &Situation<'_>,
        _history: &MoveHistory<'_>,
        _random: &mut Xoshiro256PlusPlus,
        logarithms: &mut Vec<f32>,
    ) -> bool {
        let captures = self.rate(situation);
        let values = self.move_values.iter();
        logarithms.extend(values.map(|value| value / self.temperature));
        captures
    }

    fn observes(&self) -> Observed {
        Observed::States
    }

    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        self.values.learn(role, episode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::board_model::{Stand, Travel};
    use rand::SeedableRng;

    /// Three cells. Pieces: our rook 0 and pawn 1, their queen 2 and pawn 3; the
    /// fluent of piece p on cell c is 4·c + p.
    fn captures() -> Captures {
        let stands = (0..12).map(|fluent| {
            Some(Stand {
                cell: fluent / 4,
                piece: fluent % 4,
            })
        });
        let ends = [(0, 1), (0, 2), (1, 2), (2, 0)];
        let travels: Vec<_> = ends
            .into_iter()
            .map(|(from, to)| {
                Some(Travel {
                    from: Some(from),
                    to,
                })
            })
            .chain([None])
            .collect();
        let board = BoardModel {
            cells: 3,
            pieces: ["R", "P", "q", "p"].map(str::to_owned).to_vec(),
            stands: stands.collect(),
            travels: vec![travels.clone(), travels],
        };
        let rate = Rate {
            lambda: 0.99,
            mu: 0.1,
        };
        Captures::new(board, rate, 1.0)
    }

    /// What is on the board decides the game: a rook is worth 20, a pawn 10, and
    /// theirs −40 and −10.
    fn teach(captures: &mut Captures) {
        for _ in 0..200 {
            for (piece, goals) in [(0, [20, 0]), (1, [10, 0]), (2, [0, 40]), (3, [0, 10])] {
                let episode = Episode {
                    simulations: 1,
                    goals: &goals,
                    moves: &[0, 0],
                    inside: 0,
                    states: &[1 << piece, 0],
                };
                captures.learn(0, &episode);
            }
        }
    }

    fn move_values(captures: &mut Captures, role: Role, state: u64) -> Vec<Option<f32>> {
        captures.board.occupy(lanes_of(&[state]), &mut captures.on);
        let value = |mv| captures.capture(role, Move(mv)).map(f32::round);
        (0..5).map(value).collect()
    }

    #[test]
    fn much_is_captured_with_little() {
        let mut captures = captures();
        teach(&mut captures);
        // The rook on cell 0, the pawn on 1, the queen on 2.
        let state = 1 << 0 | 1 << 5 | 1 << 10;
        let ours = move_values(&mut captures, 0, state);
        // −(2·−40 + 20) and −(2·−40 + 10).
        assert_eq!(ours[1..3], [Some(60.0), Some(70.0)]);
        assert_eq!(ours[4], None);
        // Their queen takes our rook: −(2·−20 + 40), as they see it.
        assert_eq!(move_values(&mut captures, 1, state)[3], Some(0.0));
        // Nothing to take.
        assert_eq!(move_values(&mut captures, 0, 1 << 0), [None; 5]);
    }

    #[test]
    fn captures_come_first() {
        let mut captures = captures();
        teach(&mut captures);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut chosen = |state: u64| {
            let situation = Situation {
                role: 0,
                state: &[state],
                moves: &[Move(0), Move(1), Move(4)],
            };
            let mut counts = [0; 3];
            (0..300).for_each(|_| counts[captures.choose(&situation, &mut random)] += 1);
            counts
        };
        // The rook on cell 0 takes their pawn on cell 2.
        assert_eq!(chosen(1 << 0 | 1 << 11), [0, 300, 0]);
        let quiet = chosen(1 << 0);
        assert!(
            quiet.iter().all(|count| (70..130).contains(count)),
            "{quiet:?}"
        );
    }
}
