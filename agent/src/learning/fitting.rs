//! A network that is fitted, round by round, to the games that were played last.

use std::collections::VecDeque;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::quantised::QuantisedNetwork;
use super::samples::Samples;
use super::time_slice::TimeSlice;
use super::training::Trainer;

/// Rounds whose samples are kept.
const KEPT_ROUNDS: usize = 3;

/// The most samples from searches that are kept, and how often each of them is trained on, on
/// average.
const KEPT_FROM_SEARCHES: usize = 100_000;
const USES: usize = 5;

/// Memory for samples, in bytes.
const SAMPLE_MEMORY: usize = 24 << 20;

/// The most times that a sample is trained on per round.
const EPOCHS: usize = 2;

/// One sample in this number is held out.
const HELD_OUT: u32 = 50;

/// Where a round holds out fewer than this, those of earlier rounds are kept as well: they were not
/// learned from either.
const FEWEST_HELD: usize = 2000;

/// The most samples that are held out at a time.
const MOST_HELD: usize = 20_000;

/// A network in training, and the samples of the last rounds.
pub(super) struct NetworkFitting {
    pub(super) trainer: Trainer,
    rounds: VecDeque<Samples>,
    /// Samples that were held out, the last ones first.
    held: Option<Samples>,
}

impl NetworkFitting {
    pub(super) fn new(trainer: Trainer) -> Self {
        Self {
            trainer,
            rounds: VecDeque::new(),
            held: None,
        }
    }

    /// Samples that are not learned from, the last ones first; `None` before the first round.
    pub(super) fn held_out(&self) -> Option<&Samples> {
        self.held.as_ref()
    }

    /// Adds the samples of a round, some of which are held out. Returns the mean loss of
    /// these.
    pub(super) fn add_round(
        &mut self,
        mut samples: Samples,
        random: &mut Xoshiro256PlusPlus,
    ) -> f32 {
        let held = samples.hold_out(HELD_OUT, random);
        let loss = self.trainer.loss(&held);
        self.hold(held);
        self.rounds.push_back(samples);
        self.drop_old(|rounds| rounds.len() > KEPT_ROUNDS);
        loss
    }

    /// Adds what searches found, and what is held out of it. Returns the sum of the losses of the
    /// latter.
    pub(super) fn add_burst(&mut self, samples: Samples, held: Samples) -> f32 {
        let loss = self.trainer.loss(&held) * held.len() as f32;
        self.hold(held);
        self.rounds.push_back(samples);
        self.drop_old(|rounds| count(rounds) > KEPT_FROM_SEARCHES);
        loss
    }

    /// Adds samples that are not to be learned from, and drops older ones.
    fn hold(&mut self, mut held: Samples) {
        if let Some(before) = self.held.take().filter(|_| held.len() < FEWEST_HELD) {
            held.append(&before);
        }
        held.truncate(MOST_HELD);
        self.held = Some(held);
    }

    /// Drops the oldest samples while there are too many, but not the last ones.
    fn drop_old(&mut self, is_too_much: impl Fn(&VecDeque<Samples>) -> bool) {
        while self.rounds.len() > 1 && (is_too_much(&self.rounds) || self.bytes() > SAMPLE_MEMORY) {
            self.rounds.pop_front();
        }
    }

    fn bytes(&self) -> usize {
        self.rounds.iter().map(Samples::bytes).sum()
    }

    /// The network as it is used.
    pub(super) fn network(&self) -> QuantisedNetwork {
        QuantisedNetwork::new(self.trainer.network(), self.trainer.largest())
    }

    /// The same with this number of features, the first ones.
    pub(super) fn with_first(self, features: usize) -> Self {
        let network = self.trainer.network().with_first(features);
        let rounds = self.rounds.iter();
        Self {
            trainer: Trainer::new(network, self.trainer.largest()),
            rounds: rounds.map(|it| it.with_first(features)).collect(),
            held: self.held.map(|it| it.with_first(features)),
        }
    }

    /// Drops the samples of all rounds.
    pub(super) fn clear_rounds(&mut self) {
        self.rounds.clear();
    }

    /// Fits the network to what searches found, as far as what was found last allows it: more
    /// training on the same states would memorise them.
    pub(super) fn fit_burst(
        &mut self,
        slice: TimeSlice<'_>,
        rate: f32,
        random: &mut Xoshiro256PlusPlus,
    ) {
        let most = USES * self.rounds.back().map_or(0, Samples::len);
        let sets: Vec<&Samples> = self.rounds.iter().collect();
        (self.trainer).fit(&sets, most, rate, random, &mut || slice.goes_on());
    }

    /// Fits the network to the samples of the last rounds.
    pub(super) fn fit(&mut self, slice: TimeSlice<'_>, rate: f32, random: &mut Xoshiro256PlusPlus) {
        let sets: Vec<&Samples> = self.rounds.iter().collect();
        for _ in 0..EPOCHS {
            (self.trainer).fit(&sets, usize::MAX, rate, random, &mut || slice.goes_on());
            if !slice.goes_on() {
                break;
            }
        }
    }
}

/// The number of samples in several sets.
fn count(sets: &VecDeque<Samples>) -> usize {
    sets.iter().map(Samples::len).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::learning::network::{ValueHeads, ValueNetwork};

    /// Samples of states that a number tells apart.
    fn samples(numbers: std::ops::Range<u64>) -> Samples {
        let mut samples = Samples::new(1, 2);
        numbers.for_each(|number| samples.push(&[number], &[100, 0], &[1.0, 0.0]));
        samples
    }

    #[test]
    fn short_rounds_keep_what_longer_ones_held_out() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let network = ValueNetwork::new(64, ValueHeads::ConstantSum, &mut random);
        let mut fitting = NetworkFitting::new(Trainer::new(network, 0.0));
        assert!(fitting.held_out().is_none());
        fitting.add_round(samples(0..50_000), &mut random);
        let first = fitting.held_out().unwrap().len();
        assert!((800..1200).contains(&first), "{first}");
        fitting.add_round(samples(50_000..51_000), &mut random);
        let held = fitting.held_out().unwrap();
        assert!(held.len() > first, "{} after {first}", held.len());
        assert!(held.features(0)[0] >= 50_000, "the last ones come first");
        // A long one replaces them.
        fitting.add_round(samples(100_000..300_000), &mut random);
        let held = fitting.held_out().unwrap();
        let is_new = |at| held.features(at)[0] >= 100_000;
        assert!((0..held.len()).all(is_new));
    }
}
