//! Fitting a network to samples: Adam with decoupled weight decay on the cross entropy
//! (Kingma and Ba 2015; Loshchilov and Hutter 2019).

use gdl_runtime::network::{COLUMNS, add_to_rows};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::network::{ValueHeads, ValueNetwork, hidden_units, sigmoid};
use super::samples::Samples;

const DECAY_MEAN: f32 = 0.9;
const DECAY_SQUARE: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.001;

/// Samples per update. With many features an update costs as much as many samples, so
/// that batches grow with their number.
const BATCH: usize = 256;

/// The most samples per update: the clock is checked between updates.
const MOST_BATCH: usize = 2048;

/// A network being trained, with the moments of its gradients.
#[derive(Debug, Clone)]
pub struct Trainer {
    network: ValueNetwork,
    gradient: ValueNetwork,
    mean: ValueNetwork,
    square: ValueNetwork,
    updates: i32,
    /// The largest absolute sum of the first layer so far.
    largest: f32,
}

impl Trainer {
    /// Starts to train a network. `largest` is the largest absolute sum of its first
    /// layer that earlier training met.
    #[must_use]
    pub fn new(network: ValueNetwork, largest: f32) -> Self {
        let mut zero = network.clone();
        zero.layers_mut()
            .into_iter()
            .flatten()
            .for_each(|row| row.fill(0.0));
        Self {
            gradient: zero.clone(),
            mean: zero.clone(),
            square: zero,
            network,
            updates: 0,
            largest,
        }
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

    /// Goes through the samples of several sets once, in random order, until
    /// `goes_on`, asked before each update, says no. Returns the mean loss.
    pub fn fit(
        &mut self,
        sets: &[&Samples],
        rate: f32,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> f32 {
        let numbers = |(set, samples): (usize, &&Samples)| {
            (0..samples.len() as u32).map(move |index| (set as u32, index))
        };
        let mut order: Vec<(u32, u32)> = sets.iter().enumerate().flat_map(numbers).collect();
        order.shuffle(random);
        let (mut loss, mut seen) = (0.0, 0);
        let batch = (self.network.features() / 4).clamp(BATCH, MOST_BATCH);
        for batch in order.chunks(batch) {
            if !goes_on() {
                break;
            }
            for &(set, index) in batch {
                let samples = sets[set as usize];
                let index = index as usize;
                loss +=
                    f64::from(self.add_gradient(samples.features(index), samples.results(index)));
            }
            seen += batch.len();
            self.update(rate, batch.len());
        }
        (loss / seen.max(1) as f64) as f32
    }

    /// The mean loss of samples.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f32 {
        let loss = |index| {
            let sums = self.network.sums(samples.features(index));
            let results = &samples.results(index)[..self.network.heads.count()];
            let heads = results.iter().enumerate();
            heads
                .map(|(head, &result)| cross_entropy(self.network.logit(head, &sums), result))
                .sum::<f32>()
        };
        let total = (0..samples.len())
            .map(loss)
            .fold(0.0, |sum, loss| sum + loss);
        total / (samples.len() * self.network.heads.count()).max(1) as f32
    }

    /// Adds the gradient of a sample. Returns its loss.
    fn add_gradient(&mut self, features: &[u64], results: &[f32]) -> f32 {
        let hidden = hidden_units(self.network.heads);
        let sums = self.network.sums(features);
        let mut back = [0.0; COLUMNS];
        let mut loss = 0.0;
        for head in 0..self.network.heads.count() {
            let logit = self.network.logit(head, &sums);
            let error = sigmoid(logit) - results[head];
            loss += cross_entropy(logit, results[head]);
            let weights = &self.network.output[head];
            let gradient = &mut self.gradient.output[head];
            let units = gradient.iter_mut().zip(&mut back);
            let units = units.zip(sums.iter().zip(weights)).take(hidden);
            for ((gradient, back), (&sum, &weight)) in units {
                *gradient += error * sum.max(0.0);
                // Which units are active cannot be foreseen: no branch.
                *back += error * weight * f32::from(u8::from(sum > 0.0));
            }
            back[hidden + head] = error;
        }
        add_to_rows(&mut self.gradient.rows, features, &back);
        let bias = self.gradient.bias.iter_mut().zip(&back);
        bias.for_each(|(sum, add)| *sum += add);
        let largest = |most: f32, sum: &f32| most.max(sum.abs());
        self.largest = sums.iter().fold(self.largest, largest);
        loss / self.network.heads.count() as f32
    }

    /// Makes a step against the gradient of this number of samples, and clears it.
    fn update(&mut self, rate: f32, samples: usize) {
        self.updates += 1;
        let scale = 1.0 / samples as f32;
        let rate_now = rate * (1.0 - DECAY_SQUARE.powi(self.updates)).sqrt()
            / (1.0 - DECAY_MEAN.powi(self.updates));
        let weights = self.network.layers_mut().into_iter().flatten();
        let gradients = self.gradient.layers_mut().into_iter().flatten();
        let means = self.mean.layers_mut().into_iter().flatten();
        let squares = self.square.layers_mut().into_iter().flatten();
        for ((weights, gradients), (means, squares)) in
            weights.zip(gradients).zip(means.zip(squares))
        {
            for column in 0..COLUMNS {
                let gradient = gradients[column] * scale;
                gradients[column] = 0.0;
                let mean = DECAY_MEAN * means[column] + (1.0 - DECAY_MEAN) * gradient;
                let square =
                    DECAY_SQUARE * squares[column] + (1.0 - DECAY_SQUARE) * gradient * gradient;
                means[column] = mean;
                squares[column] = square;
                weights[column] -= rate_now * mean / (square.sqrt() + EPSILON)
                    + rate * WEIGHT_DECAY * weights[column];
            }
        }
    }
}

impl ValueNetwork {
    /// All weights.
    fn layers_mut(&mut self) -> [&mut [[f32; COLUMNS]]; 3] {
        [
            &mut self.rows,
            std::slice::from_mut(&mut self.bias),
            &mut self.output,
        ]
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
