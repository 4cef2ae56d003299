//! How well a network, playouts and both together predict the results of games that the
//! network did not learn from, and with what weights the two are combined.
//!
//! This is a logistic regression of results on the logits of both. It takes a tenth of a
//! second, and says more than quick games about what playouts are worth: in connection and
//! territory games they predict results much better than a small network; elsewhere they
//! add nothing to it.

use std::fmt;

use gdl_runtime::stop_flag::StopFlag;

use crate::learning::quantised::StateValues;
use crate::learning::samples::Samples;
use crate::learning::{Learner, QuantisedNetwork};
use crate::odds::odds;
use crate::puct::{EvaluatedSearch, FEWEST_GAMES, MOST_GAMES};

/// The largest number of positions examined, and the fewest predictions that say anything: there
/// is one for each position and role.
const MOST_POSITIONS: usize = 2000;
const FEWEST_PREDICTIONS: usize = 200;

/// Playouts that predict results better than the network by this factor are better alone: in the
/// measured games where that was so, a search by evaluation lost to playouts.
const BETTER_ALONE: f32 = 0.96;

/// A mixture that does not predict results better than the network by this factor is not worth the
/// time of its playouts.
const BETTER_TOGETHER: f32 = 0.992;

/// How many times Newton's method is applied: it converges within a few steps.
const STEPS: usize = 12;

/// The precision of the prior on the weights, whose mean is 0: it keeps them finite where results
/// are predicted perfectly.
const PRECISION: f64 = 1.0;

/// How well results are predicted: mean cross entropies, lower is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foresight {
    /// By the network.
    pub network: f32,
    /// By playouts.
    pub playouts: f32,
    /// By both.
    pub both: f32,
    /// The weights with which the logits of the network and of as many playouts as a leaf of the
    /// mixture gets jointly predict results.
    pub weights: [f32; 2],
}

impl Foresight {
    /// Measures it on positions that the learner held out. `None` if these are too few, or if
    /// `mixture` has no playouts.
    pub(super) fn measure(
        learner: &mut Learner,
        network: &QuantisedNetwork,
        mixture: &mut EvaluatedSearch,
        stop_flag: &StopFlag,
    ) -> Option<Self> {
        let positions = HeldOut::of(learner)?;
        let mut predictions = |games: usize| {
            let states = positions.states.chunks_exact(positions.words);
            let odds = mixture.play_out(states, games, &mut || !stop_flag.is_raised());
            positions.predictions(network, &odds)
        };
        let few = predictions(FEWEST_GAMES);
        let many = predictions(MOST_GAMES);
        (many.len() >= FEWEST_PREDICTIONS).then(|| Self {
            network: Fit::of(&many, [true, false]).loss,
            playouts: Fit::of(&many, [false, true]).loss,
            both: Fit::of(&many, [true, true]).loss,
            weights: Fit::of(&few, [true, true]).weights,
        })
    }

    /// Whether playouts alone foresee results much better than the network.
    pub(super) fn favours_playouts(&self) -> bool {
        self.playouts < BETTER_ALONE * self.network
    }

    /// Whether playouts add something to the network.
    pub(super) fn favours_mixture(&self) -> bool {
        self.both < BETTER_TOGETHER * self.network
            && self.weights.iter().all(|&weight| weight > 0.0)
    }
}

impl fmt::Display for Foresight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            network,
            playouts,
            both,
            ..
        } = self;
        write!(
            f,
            "loss {network:.3} by the network, {playouts:.3} by playouts, {both:.3} by both"
        )
    }
}

/// Positions with the results of their games.
struct HeldOut {
    samples: Samples,
    words: usize,
    /// The words of their states, state after state.
    states: Vec<u64>,
}

/// A logit by the network, one by playouts, and the result, 0 to 1.
type Prediction = ([f32; 2], f32);

impl HeldOut {
    fn of(learner: &mut Learner) -> Option<Self> {
        let samples = learner.held_out()?.clone();
        let words = learner.expander().words();
        let count = samples.len().min(MOST_POSITIONS);
        let mut states = vec![0; count * words];
        for (index, state) in states.chunks_exact_mut(words).enumerate() {
            let features = samples.features(index);
            learner.expander().copy_state(features, state);
        }
        Some(Self {
            samples,
            words,
            states,
        })
    }

    /// The predictions for all roles, in positions whose playouts are over.
    fn predictions(
        &self,
        network: &QuantisedNetwork,
        playouts: &[Option<Vec<f32>>],
    ) -> Vec<Prediction> {
        let mut values = StateValues::default();
        let mut predictions = Vec::new();
        for (index, playouts) in playouts.iter().enumerate() {
            let Some(playouts) = playouts else { continue };
            let features = self.samples.features(index);
            network.evaluate(features, features, &mut values);
            let roles = values
                .of(0)
                .iter()
                .zip(playouts)
                .zip(self.samples.results(index));
            predictions.extend(roles.map(|((&value, by_playouts), &result)| {
                ([odds(value).ln(), by_playouts.ln()], result)
            }));
        }
        predictions
    }
}

/// A logistic regression without a constant.
struct Fit {
    weights: [f32; 2],
    /// The mean cross entropy.
    loss: f32,
}

impl Fit {
    /// Fits the weights of those logits that are used.
    fn of(predictions: &[Prediction], used: [bool; 2]) -> Self {
        let chosen = |logits: [f32; 2]| {
            let pairs = std::array::from_fn(|at| if used[at] { logits[at] } else { 0.0 });
            pairs.map(f64::from)
        };
        let mut weights = [0.0, 0.0];
        for _ in 0..STEPS {
            let mut slope = weights.map(|weight: f64| -PRECISION * weight);
            let (mut first, mut second, mut mixed) = (PRECISION, PRECISION, 0.0);
            for &(logits, result) in predictions {
                let [one, other] = chosen(logits);
                let value = 1.0 / (1.0 + (-weights[0] * one - weights[1] * other).exp());
                let error = f64::from(result) - value;
                slope = [slope[0] + error * one, slope[1] + error * other];
                let spread = value * (1.0 - value);
                first += spread * one * one;
                second += spread * other * other;
                mixed += spread * one * other;
            }
            let determinant = first * second - mixed * mixed;
            weights[0] += (second * slope[0] - mixed * slope[1]) / determinant;
            weights[1] += (first * slope[1] - mixed * slope[0]) / determinant;
        }
        let loss = |&(logits, result): &Prediction| {
            let [one, other] = chosen(logits);
            let logit = weights[0] * one + weights[1] * other;
            // ln(1 + e^logit) - result * logit, without overflow.
            logit.max(0.0) + (-logit.abs()).exp().ln_1p() - f64::from(result) * logit
        };
        let total: f64 = predictions.iter().map(loss).sum();
        Self {
            weights: weights.map(|weight| weight as f32),
            loss: (total / predictions.len().max(1) as f64) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::{Fit, Prediction};

    /// Results that follow from two logits by known weights give these weights back.
    #[test]
    fn regression_finds_the_weights_that_results_follow() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed_or(1));
        let predictions: Vec<Prediction> = (0..40_000)
            .map(|_| {
                let one = random.random_range(-3.0_f32..3.0);
                let other = one / 2.0 + random.random_range(-2.0_f32..2.0);
                let value = 1.0 / (1.0 + (-0.8 * one - 0.3 * other).exp());
                let won = random.random_range(0.0..1.0) < value;
                ([one, other], f32::from(u8::from(won)))
            })
            .collect();
        let both = Fit::of(&predictions, [true, true]);
        let [first, second] = both.weights;
        assert!(
            (first - 0.8).abs() < 0.1 && (second - 0.3).abs() < 0.1,
            "{first} {second}"
        );
        let alone = Fit::of(&predictions, [false, true]);
        assert!(both.loss < alone.loss && alone.weights[0] == 0.0);
    }
}
