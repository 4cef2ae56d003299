//! [`GameLengths`]: the sums of the lengths of games and of their squares, without a visit
//! to each lane in which a game ends.
//!
//! The games' ages are rows of bits. A game of length l has been 0, 1, …, l - 1 steps old,
//! so the ages before all steps sum to l (l - 1) / 2, and sums of ages are added up in
//! rows of bits, too.

use crate::lanes::Word;

/// The binary logarithm of the most steps between two calls of [`GameLengths::collect`].
const STEP_BITS: usize = 6;

/// The most steps between two calls of [`GameLengths::collect`].
pub const MOST_STEPS: u64 = 1 << STEP_BITS;

/// The lengths of the games that lanes play one after the other.
pub struct GameLengths<W> {
    /// For every lane the age of its game in steps, lowest bit first.
    ages: Vec<W>,
    /// The sums of ages before the steps since the last collection, lowest bit first:
    /// [`STEP_BITS`] rows more.
    sums: Vec<W>,
    /// The sum of the ages before all earlier steps of all games.
    collected: u64,
    /// All steps of all games.
    steps: u64,
    zero: W,
}

impl<W: Word> GameLengths<W> {
    /// Every lane has a new game.
    pub fn new(zero: W) -> Self {
        Self {
            ages: Vec::new(),
            sums: vec![zero; STEP_BITS],
            collected: 0,
            steps: 0,
            zero,
        }
    }

    /// Lanes in which games ended begin new ones, then the games of `counted` lanes take a
    /// step; other lanes must have ended.
    #[inline(always)]
    pub fn step(&mut self, ended: W, counted: W, counted_lanes: u64) {
        self.steps += counted_lanes;
        let (low, high) = self.sums.split_at_mut(self.ages.len());
        let (mut increment, mut carry) = (counted, self.zero);
        for (age, sum) in self.ages.iter_mut().zip(low) {
            let before = age.and_not(ended);
            *age = before.xor(increment);
            increment = increment.and(before);
            (*sum, carry) = (
                W::lut3::<0b1001_0110>(*sum, before, carry),
                W::lut3::<0b1110_1000>(*sum, before, carry),
            );
        }
        for sum in high {
            (*sum, carry) = (sum.xor(carry), sum.and(carry));
        }
        if !increment.is_zero() {
            self.ages.push(increment);
            self.sums.push(self.zero);
        }
    }

    /// Adds up what the steps since the last collection left: at most [`MOST_STEPS`].
    #[inline(always)]
    pub fn collect(&mut self) {
        for (bit, sum) in self.sums.iter_mut().enumerate() {
            self.collected += u64::from(sum.count()) << bit;
            *sum = self.zero;
        }
    }

    /// The steps of all games that ended and the sum of the squares of their lengths, as of
    /// the last collection; `ended` are the lanes whose games have ended since the last step.
    #[inline(always)]
    pub fn finished(&self, ended: W) -> (u64, u64) {
        let (mut open, mut open_squares) = (0, 0);
        for (bit, age) in self.ages.iter().enumerate() {
            let row = age.and_not(ended);
            open += u64::from(row.count()) << bit;
            for (other, age) in self.ages.iter().enumerate() {
                open_squares += u64::from(row.and(*age).count()) << (bit + other);
            }
        }
        (
            self.steps - open,
            2 * self.collected + self.steps - open_squares,
        )
    }

    /// A length that no game has exceeded.
    pub fn bound(&self) -> u64 {
        1 << self.ages.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{GameLengths, MOST_STEPS};

    /// Lanes have games of different lengths, some longer than the steps of a collection.
    fn ended_at(step: u64) -> u64 {
        let lanes = (0..64).filter(|lane| step.is_multiple_of(lane * 3 + 1));
        lanes.fold(0, |ended, lane| ended | 1 << lane)
    }

    #[test]
    fn lengths_are_those_of_a_count_by_lane() {
        let mut lengths = GameLengths::new(0_u64);
        let mut ages = [0_u64; 64];
        let (mut steps, mut squares) = (0, 0);
        for step in 1..=300 {
            lengths.step(ended_at(step - 1), !0, 64);
            for (lane, age) in ages.iter_mut().enumerate() {
                *age += 1;
                if ended_at(step) >> lane & 1 != 0 {
                    steps += *age;
                    squares += *age * *age;
                    *age = 0;
                }
            }
            if step.is_multiple_of(MOST_STEPS) || step == 300 {
                lengths.collect();
                let found = lengths.finished(ended_at(step));
                assert_eq!(found, (steps, squares), "step {step}");
            }
        }
        assert!(lengths.bound() >= 190);
    }

    #[test]
    fn lanes_that_are_not_counted_add_nothing() {
        let mut lengths = GameLengths::new(0_u64);
        for _ in 0..5 {
            lengths.step(0, 0b11, 2);
        }
        lengths.step(0b01, 0b10, 1);
        lengths.step(0, 0b10, 1);
        lengths.collect();
        assert_eq!(lengths.finished(0b10), (5 + 7, 25 + 49));
        assert_eq!(lengths.finished(0), (5, 25));
    }
}
