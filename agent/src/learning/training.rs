//! Fitting a network to samples, by [`Adam`] on the cross entropy.

use gdl_runtime::network::{Adam, FloatNetwork, FloatRow, TrainingBatch};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::network::{ValueHeads, ValueNetwork};
use super::samples::Samples;
use crate::expander::append_words;

/// Samples per update. With many features an update costs as much as many samples, so
/// that batches grow with their number.
const BATCH: usize = 256;

/// The most samples per update: the clock is checked between updates.
const MOST_BATCH: usize = 2048;

/// A network being trained.
#[derive(Debug, Clone)]
pub struct Trainer {
    network: ValueNetwork,
    gradient: FloatNetwork,
    adam: Adam,
    /// The largest absolute sum of the first layer so far.
    largest: f32,
    batch: TrainingBatch,
    /// The number of features that it learns from: the first ones.
    used: usize,
}

impl Trainer {
    /// Starts to train a network. `largest` is the largest absolute sum of its first
    /// layer that earlier training met.
    #[must_use]
    pub fn new(network: ValueNetwork, largest: f32) -> Self {
        Self {
            used: network.features(),
            gradient: network.weights.zeros(),
            adam: Adam::new(&network.weights),
            network,
            largest,
            batch: TrainingBatch::default(),
        }
    }

    /// The same, but it learns from this number of features only, the first ones.
    #[must_use]
    pub fn ignoring_all_but(mut self, used: usize) -> Self {
        self.used = used;
        self.ignore_features();
        self
    }

    fn ignore_features(&mut self) {
        self.network.weights.rows[self.used..].fill(FloatRow::ZERO);
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &ValueNetwork {
        &self.network
    }

    /// The largest absolute sum of the first layer so far.
    #[must_use]
    pub fn largest(&self) -> f32 {
        self.largest
    }

    /// Goes through the samples of several sets once, in random order, but not through more than
    /// `most` of them, until `goes_on`, asked before each update, says no.
    pub fn fit(
        &mut self,
        sets: &[&Samples],
        most: usize,
        rate: f32,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut() -> bool,
    ) {
        let numbers = |(set, samples): (usize, &&Samples)| {
            (0..samples.len() as u32).map(move |index| (set as u32, index))
        };
        let mut order: Vec<(u32, u32)> = sets.iter().enumerate().flat_map(numbers).collect();
        let (order, _) = order.partial_shuffle(random, most);
        let batch = (self.network.features() / 4).clamp(BATCH, MOST_BATCH);
        for batch in order.chunks(batch) {
            if !goes_on() {
                break;
            }
            self.gather(sets, batch);
            self.update(rate, batch.len());
            self.ignore_features();
        }
    }

    /// Copies the samples of a batch, given by their sets and their indices in these, side by
    /// side: they are scattered in memory, and copying fetches many of them at a time.
    fn gather(&mut self, sets: &[&Samples], batch: &[(u32, u32)]) {
        let heads = self.network.heads.count();
        let TrainingBatch { features, results } = &mut self.batch;
        features.clear();
        results.clear();
        for &(set, index) in batch {
            let (samples, index) = (sets[set as usize], index as usize);
            append_words(samples.features(index), features);
            results.extend(&samples.targets(index)[..heads]);
        }
    }

    /// Makes a step against the gradient of the batch, which has this number of samples.
    fn update(&mut self, rate: f32, samples: usize) {
        let Self {
            network,
            gradient,
            adam,
            largest,
            batch,
            ..
        } = self;
        *largest = largest.max(network.weights.add_gradients(batch, gradient));
        adam.update(&mut network.weights, gradient, rate, samples);
    }

    /// The mean loss of samples: how far from the results of their games the network is.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f32 {
        let loss = |index| {
            let logits = self.network.weights.logits(samples.features(index));
            let heads = logits.iter().zip(samples.results(index));
            heads
                .map(|(&logit, &result)| cross_entropy(logit, result))
                .sum::<f32>()
        };
        let total = (0..samples.len())
            .map(loss)
            .fold(0.0, |sum, loss| sum + loss);
        total / (samples.len() * self.network.heads.count()).max(1) as f32
    }
}

impl ValueHeads {
    /// The heads for games with these results.
    pub(super) fn of(samples: &Samples, roles: usize) -> Self {
        if roles == 2 && samples.has_constant_sum() {
            Self::ConstantSum
        } else {
            Self::PerRole(roles)
        }
    }
}

/// The cross entropy of an expected result, as a logit, and a result.
fn cross_entropy(logit: f32, result: f32) -> f32 {
    // ln(1 + e^logit) - result * logit, without overflow.
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - result * logit
}
