//! What moves are worth where several roles choose at once, valued against each other.
//!
//! A table has some moves of each role, and all joint moves made of these. From the values of
//! what the joint moves lead to, smooth fictitious play (Fudenberg and Levine, "The Theory of
//! Learning in Games", 1998, chapter 4) finds policies that respond to each other. A move that
//! looks good against random moves of the others, which hardly anyone makes, is often poor
//! against such policies.

use std::iter::repeat_n;

use gdl_runtime::engine::{Pick, Role};

use crate::expander::Positions;
use crate::learning::quantised::StateValues;
use crate::odds::preference;

/// The number of times that all roles answer each other.
const ROUNDS: usize = 6;

/// A move of a role, by its slot in the list of legal moves, with its estimated value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MoveEstimate {
    pub(crate) slot: usize,
    pub(crate) value: f32,
}

/// Some moves of each role of a position, and all joint moves of these. In their order, the
/// moves of the first role change fastest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JointTable {
    /// For each role, the slots of its moves in the list of those that are legal.
    slots: Vec<Vec<usize>>,
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
            slots: counts.map(|count| (0..count).collect()).collect(),
        })
    }

    /// The best of these moves of each role: as many as make no more than `most` joint moves, but
    /// at least one.
    pub(crate) fn of_best(moves: &[Vec<MoveEstimate>], most: usize) -> Self {
        let joint = |each: usize| {
            let counts = moves.iter().map(|moves| moves.len().min(each));
            counts.fold(1, usize::saturating_mul)
        };
        let longest = moves.iter().map(Vec::len).max().unwrap_or(0);
        let each = (2..=longest).take_while(|&each| joint(each) <= most).last();
        let best = |moves: &Vec<MoveEstimate>| {
            let mut moves = moves.clone();
            moves.sort_by(|one, other| other.value.total_cmp(&one.value));
            moves.truncate(each.unwrap_or(1));
            moves.iter().map(|mv| mv.slot).collect()
        };
        Self {
            slots: moves.iter().map(best).collect(),
        }
    }

    /// The slots of the moves of every role, in the list of those that are legal.
    pub(crate) fn slots(&self) -> &[Vec<usize>] {
        &self.slots
    }

    /// The number of joint moves.
    pub(crate) fn len(&self) -> usize {
        self.slots.iter().map(Vec::len).product()
    }

    /// Appends all joint moves in the position that the table was made for.
    pub(crate) fn append_to(
        &self,
        picks: &mut Vec<Option<Pick>>,
        positions: &Positions,
        index: usize,
    ) {
        let roles = self.slots.len();
        let start = picks.len();
        picks.resize(start + self.len() * roles, None);
        let mut repeats = 1;
        for (role, slots) in self.slots.iter().enumerate() {
            let moves = positions.moves(index, role);
            let repeated = slots
                .iter()
                .flat_map(|&slot| repeat_n(moves[slot], repeats));
            let joint_moves = picks[start..].chunks_exact_mut(roles);
            for (joint, pick) in joint_moves.zip(repeated.cycle()) {
                joint[role] = Some(pick);
            }
            repeats *= slots.len();
        }
    }

    /// The number of the joint move by these moves of the table, one per role.
    pub(crate) fn number(&self, joint: impl DoubleEndedIterator<Item = usize>) -> usize {
        let sizes = self.slots.iter().map(Vec::len).rev();
        let digits = sizes.zip(joint.rev());
        digits.fold(0, |number, (size, digit)| number * size + digit)
    }

    /// What moves are worth if all roles answer each other, given the values of the states that the
    /// joint moves lead to, in their order.
    pub(crate) fn solve(&self, values: &StateValues) -> JointValues {
        let uniform = |slots: &Vec<usize>| vec![1.0 / slots.len() as f32; slots.len()];
        let mut policies: Vec<Vec<f32>> = self.slots.iter().map(uniform).collect();
        let mut moves = policies.clone();
        let values: Vec<Vec<f32>> = (0..self.slots.len())
            .map(|role| self.values_of_role(role, values))
            .collect();
        for round in 0..ROUNDS {
            average(&values, &policies, &mut moves);
            // Later answers count for more than the first ones, which answer random moves.
            let weight = 2.0 / (round as f32 + 3.0);
            for (policy, moves) in policies.iter_mut().zip(&moves) {
                answer(policy, moves, weight);
            }
        }
        average(&values, &policies, &mut moves);
        let mean = |(policy, moves): (&Vec<f32>, &Vec<f32>)| {
            let pairs = policy.iter().zip(moves);
            pairs.map(|(chance, value)| chance * value).sum()
        };
        JointValues {
            position: policies.iter().zip(&moves).map(mean).collect(),
            moves,
        }
    }

    /// The values of all joint moves for a role, in an order in which its own moves change
    /// fastest, and those of the others as they do in the table.
    fn values_of_role(&self, role: Role, values: &StateValues) -> Vec<f32> {
        let own = self.slots[role].len();
        let stride: usize = self.slots[..role].iter().map(Vec::len).product();
        let mut ordered = Vec::with_capacity(self.len());
        for block in (0..self.len()).step_by(stride * own) {
            for first in block..block + stride {
                let joint_moves = (first..).step_by(stride).take(own);
                ordered.extend(joint_moves.map(|joint| values.of(joint)[role]));
            }
        }
        ordered
    }
}

/// Computes the mean value of every move for its role against the policies of the others, from
/// the values for each role in the order of [`JointTable::values_of_role`].
fn average(values: &[Vec<f32>], policies: &[Vec<f32>], moves: &mut [Vec<f32>]) {
    let mut chances = Vec::new();
    for (role, (values, moves)) in values.iter().zip(moves).enumerate() {
        let others = (0..policies.len()).filter(|&other| other != role);
        set_chances(others.map(|other| &*policies[other]), &mut chances);
        moves.fill(0.0);
        for (values, &chance) in values.chunks_exact(moves.len()).zip(&chances) {
            for (mean, value) in moves.iter_mut().zip(values) {
                *mean += chance * value;
            }
        }
    }
}

/// Overwrites `chances` with those of all joint moves of some roles that follow these policies; the
/// moves of the first of them change fastest.
fn set_chances<'a>(policies: impl Iterator<Item = &'a [f32]>, chances: &mut Vec<f32>) {
    chances.clear();
    chances.push(1.0);
    for policy in policies {
        let count = chances.len();
        for &chance in &policy[1..] {
            chances.extend_from_within(..count);
            let added = chances.len() - count;
            chances[added..].iter_mut().for_each(|it| *it *= chance);
        }
        chances[..count].iter_mut().for_each(|it| *it *= policy[0]);
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// A table of this number of moves for each role.
    fn table(sizes: &[usize]) -> JointTable {
        JointTable {
            slots: sizes.iter().map(|&size| (0..size).collect()).collect(),
        }
    }

    #[test]
    fn what_is_good_against_random_moves_only_is_not_worth_much() {
        // The first role's first move wins against two replies, but the third one beats it; its
        // second move wins six games of ten whatever the reply.
        let first = [1.0, 0.6, 1.0, 0.6, 0.0, 0.6];
        let values = StateValues::of_roles(2, first.iter().flat_map(|&value| [value, 1.0 - value]));
        let solved = table(&[2, 3]).solve(&values);
        let (bold, safe) = (solved.moves[0][0], solved.moves[0][1]);
        assert!(bold < 0.1 && (safe - 0.6).abs() < 1e-5, "{bold} {safe}");
        let [one, other] = solved.position[..] else {
            panic!("a value per role");
        };
        assert!(
            (one - 0.6).abs() < 0.05 && (one + other - 1.0).abs() < 1e-5,
            "{one} {other}"
        );
    }

    #[test]
    fn means_are_those_over_all_joint_moves() {
        let seed = gdl_testing::seed();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let sizes = [2, 4, 3];
        let table = table(&sizes);
        let mut draw = || random.random_range(0.0..1.0_f32);
        let values = StateValues::of_roles(3, (0..3 * table.len()).map(|_| draw()));
        let policies: Vec<Vec<f32>> = (sizes.iter())
            .map(|&size| {
                let weights: Vec<f32> = (0..size).map(|_| draw()).collect();
                let total: f32 = weights.iter().sum();
                weights.iter().map(|weight| weight / total).collect()
            })
            .collect();
        let mut means = policies.clone();
        let values_of_roles: Vec<Vec<f32>> = (0..3)
            .map(|role| table.values_of_role(role, &values))
            .collect();
        average(&values_of_roles, &policies, &mut means);
        for role in 0..3 {
            for (own, &mean) in means[role].iter().enumerate() {
                let mut expected = 0.0;
                for joint in (0..24).map(|number| [number % 2, number / 2 % 4, number / 8]) {
                    let others = (0..3).filter(|&other| other != role);
                    let chance: f32 = others.map(|other| policies[other][joint[other]]).product();
                    let number = table.number(joint.into_iter());
                    if joint[role] == own {
                        expected += chance * values.of(number)[role];
                    }
                }
                assert!(
                    (mean - expected).abs() < 1e-5,
                    "{role} {own}: {mean} for {expected}"
                );
            }
        }
    }

    #[test]
    fn a_table_of_the_best_has_as_many_moves_as_fit() {
        let moves = |count: usize| -> Vec<MoveEstimate> {
            let value = |slot: usize| (slot * 7 % count) as f32 / count as f32;
            let valued = |slot| MoveEstimate {
                slot,
                value: value(slot),
            };
            (0..count).map(valued).collect()
        };
        let best = JointTable::of_best(&[moves(10), moves(2), moves(9)], 50);
        let sizes: Vec<usize> = best.slots.iter().map(Vec::len).collect();
        assert_eq!(sizes, [5, 2, 5]);
        // Values are 0, 0.7, 0.4, 0.1, 0.8, 0.5, 0.2, 0.9, 0.6, 0.3.
        assert_eq!(best.slots[0], [7, 4, 1, 8, 5]);
        let least = JointTable::of_best(&[moves(3), moves(3)], 1);
        assert_eq!(least.len(), 1);
    }
}
