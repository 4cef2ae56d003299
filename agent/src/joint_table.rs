//! What the moves of several roles that choose at once are worth, valued against each other.
//!
//! A table has some moves of each role, and all joint moves of these. By the values of what
//! these lead to, smooth fictitious play (Fudenberg and Levine, "The Theory of Learning in
//! Games", 1998, chapter 4) finds policies that answer each other. Against random moves of the
//! others, which hardly anyone plays, other moves look good than against such policies.

use gdl_runtime::engine::Pick;

use crate::expander::Positions;
use crate::learning::network::MAX_HEADS;
use crate::learning::quantised::StateValues;
use crate::odds::preference;

/// The number of times that all roles answer each other.
const ROUNDS: usize = 6;

/// A move of a role, by its place in the list of those that are legal, and what it seems worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ValuedMove {
    pub(crate) place: usize,
    pub(crate) value: f32,
}

/// Some moves of each role of a position, and all joint moves of these. In their order, the
/// moves of the first role change fastest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JointTable {
    /// For each role, the places of its moves in the list of those that are legal.
    places: Vec<Vec<usize>>,
}

/// What fictitious play found for a table.
#[derive(Debug, Clone)]
pub(crate) struct JointValues {
    /// For each role and each of its moves in the table, the mean value for the role against the
    /// policies of the others.
    pub(crate) moves: Vec<Vec<f32>>,
    /// The mean values of all roles where all follow their policies.
    pub(crate) position: Vec<f32>,
}

impl JointTable {
    /// All legal moves of a position, unless there are more than `most` joint moves.
    pub(crate) fn of_all(
        positions: &Positions,
        index: usize,
        roles: usize,
        most: usize,
    ) -> Option<Self> {
        let counts = (0..roles).map(|role| positions.moves(index, role).len());
        let joint = counts.clone().fold(1, usize::saturating_mul);
        (joint <= most).then(|| Self {
            places: counts.map(|count| (0..count).collect()).collect(),
        })
    }

    /// The best of these moves of each role: as many as make no more than `most` joint moves, but
    /// at least one.
    pub(crate) fn of_best(moves: &[Vec<ValuedMove>], most: usize) -> Self {
        let joint = |each: usize| {
            let counts = moves.iter().map(|moves| moves.len().min(each));
            counts.fold(1, usize::saturating_mul)
        };
        let longest = moves.iter().map(Vec::len).max().unwrap_or(0);
        let each = (2..=longest).take_while(|&each| joint(each) <= most).last();
        let best = |moves: &Vec<ValuedMove>| {
            let mut moves = moves.clone();
            moves.sort_by(|one, other| other.value.total_cmp(&one.value));
            moves.truncate(each.unwrap_or(1));
            moves.iter().map(|mv| mv.place).collect()
        };
        Self {
            places: moves.iter().map(best).collect(),
        }
    }

    /// The places of the moves of every role, in the list of those that are legal.
    pub(crate) fn places(&self) -> &[Vec<usize>] {
        &self.places
    }

    /// The number of joint moves.
    pub(crate) fn len(&self) -> usize {
        self.places.iter().map(Vec::len).product()
    }

    /// Appends all joint moves in the position that the table was made for.
    pub(crate) fn append_to(
        &self,
        picks: &mut Vec<Option<Pick>>,
        positions: &Positions,
        index: usize,
    ) {
        for joint in 0..self.len() {
            let mut rest = joint;
            picks.extend(self.places.iter().enumerate().map(|(role, places)| {
                let place = places[rest % places.len()];
                rest /= places.len();
                Some(positions.moves(index, role)[place])
            }));
        }
    }

    /// The number of the joint move by these moves of the table, one per role.
    pub(crate) fn number(&self, joint: impl DoubleEndedIterator<Item = usize>) -> usize {
        let sizes = self.places.iter().map(Vec::len).rev();
        let digits = sizes.zip(joint.rev());
        digits.fold(0, |number, (size, digit)| number * size + digit)
    }

    /// What moves are worth if all roles answer each other, by the values of what the joint moves
    /// lead to, in their order.
    pub(crate) fn solve(&self, values: &StateValues) -> JointValues {
        let uniform = |places: &Vec<usize>| vec![1.0 / places.len() as f32; places.len()];
        let mut policies: Vec<Vec<f32>> = self.places.iter().map(uniform).collect();
        let mut moves = policies.clone();
        for round in 0..ROUNDS {
            self.average(values, &policies, &mut moves);
            // Later answers count for more than the first ones, which answer random moves.
            let weight = 2.0 / (round as f32 + 3.0);
            for (policy, moves) in policies.iter_mut().zip(&moves) {
                answer(policy, moves, weight);
            }
        }
        self.average(values, &policies, &mut moves);
        let mean = |(policy, moves): (&Vec<f32>, &Vec<f32>)| {
            let pairs = policy.iter().zip(moves);
            pairs.map(|(chance, value)| chance * value).sum()
        };
        JointValues {
            position: policies.iter().zip(&moves).map(mean).collect(),
            moves,
        }
    }

    /// Computes the mean value of every move for its role against the policies of the others.
    fn average(&self, values: &StateValues, policies: &[Vec<f32>], moves: &mut [Vec<f32>]) {
        moves.iter_mut().for_each(|moves| moves.fill(0.0));
        let roles = self.places.len();
        // The moves of all roles but the first, whose moves the inner loop runs over.
        let mut joint = [0; MAX_HEADS];
        for first in (0..self.len()).step_by(policies[0].len()) {
            let chance = |left_out: usize| -> f32 {
                let others = (1..roles).filter(|&role| role != left_out);
                others.map(|role| policies[role][joint[role]]).product()
            };
            let others = chance(0);
            let mut sums = [0.0; MAX_HEADS];
            for (place, &own) in policies[0].iter().enumerate() {
                let values = values.of(first + place);
                moves[0][place] += others * values[0];
                for (sum, value) in sums[1..roles].iter_mut().zip(&values[1..]) {
                    *sum += own * value;
                }
            }
            for role in 1..roles {
                moves[role][joint[role]] += chance(role) * sums[role];
            }
            for (digit, policy) in joint[1..roles].iter_mut().zip(&policies[1..]) {
                *digit += 1;
                if *digit < policy.len() {
                    break;
                }
                *digit = 0;
            }
        }
    }
}

/// Moves a policy towards a softmax over the logits of its moves, which gets this weight.
fn answer(policy: &mut [f32], moves: &[f32], weight: f32) {
    let total: f64 = moves.iter().map(|&value| preference(value)).sum();
    for (chance, &value) in policy.iter_mut().zip(moves) {
        let answer = (preference(value) / total) as f32;
        *chance += weight * (answer - *chance);
    }
}
