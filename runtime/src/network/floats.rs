//! Networks in floating point, as they are trained.

use super::COLUMNS;
use crate::lanes::{Word, Word256, Word512, kernel};

/// A number per column.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct FloatRow(pub [f32; COLUMNS]);

impl FloatRow {
    /// Zeros.
    pub const ZERO: Self = Self([0.0; COLUMNS]);
}

/// A network in floating point: for each output a linear function of the features, plus one of
/// the hidden units, which are squares of rectified sums of the features' rows (So and others,
/// "Primer", 2021, section 4).
///
/// Column `hidden() + n` of rows and bias has the linear function of output `n`; what comes
/// after these columns is not used.
#[derive(Debug, Clone, PartialEq)]
pub struct FloatNetwork {
    /// For every feature, its weights: of the hidden units, then of the linear functions.
    pub rows: Vec<FloatRow>,
    /// The same for the constant 1.
    pub bias: FloatRow,
    /// For each output, the weights of the hidden units; 0 in the columns after them.
    pub outputs: Vec<FloatRow>,
}

/// Samples that are learned from together.
#[derive(Debug, Clone, Default)]
pub struct TrainingBatch {
    /// The words of their features, sample after sample.
    pub features: Vec<u64>,
    /// What each output should be, 0 to 1, sample after sample.
    pub results: Vec<f32>,
}

impl FloatNetwork {
    /// The number of hidden units: the columns that outputs do not take. Each output takes two,
    /// since in [integers](super::IntegerNetwork) a linear function is the difference of two
    /// rectified ones.
    #[must_use]
    pub fn hidden(&self) -> usize {
        COLUMNS - 2 * self.outputs.len()
    }

    /// A network of the same size whose weights are all 0.
    #[must_use]
    pub fn zeros(&self) -> Self {
        Self {
            rows: vec![FloatRow::ZERO; self.rows.len()],
            bias: FloatRow::ZERO,
            outputs: vec![FloatRow::ZERO; self.outputs.len()],
        }
    }

    /// The outputs in a state with these features, as logits.
    ///
    /// # Panics
    /// If a feature has no row.
    #[must_use]
    pub fn logits(&self, features: &[u64]) -> Vec<f32> {
        let mut logits = vec![0.0; self.outputs.len()];
        match Word256::zero() {
            Some(proof) => write_logits(proof, proof, self, features, &mut logits),
            None => write_logits(0, 0, self, features, &mut logits),
        }
        logits
    }

    /// Adds the gradient of the cross entropy of a batch, with respect to all weights, to
    /// `gradient`, a network of the same size. Returns the largest absolute sum of a hidden
    /// unit.
    ///
    /// # Panics
    /// If a feature has no row.
    pub fn add_gradients(&self, batch: &TrainingBatch, gradient: &mut Self) -> f32 {
        if let Some(proof) = Word512::zero() {
            add_gradients(proof, proof, self, batch, gradient)
        } else if let Some(proof) = Word256::zero() {
            add_gradients(proof, proof, self, batch, gradient)
        } else {
            add_gradients(0, 0, self, batch, gradient)
        }
    }
}

kernel! {
    /// See [`FloatNetwork::logits`].
    pub fn write_logits<'a, W>(
        _word: W,
        network: &'a FloatNetwork,
        features: &'a [u64],
        logits: &'a mut [f32],
    ) {
        let sums = sum_rows(network, features);
        let linear = &sums.0[network.hidden()..];
        for ((logit, weights), linear) in logits.iter_mut().zip(&network.outputs).zip(linear) {
            *logit = linear + square_product(&sums, weights);
        }
    }
}

kernel! {
    /// See [`FloatNetwork::add_gradients`].
    pub fn add_gradients<'a, W>(
        _word: W,
        network: &'a FloatNetwork,
        batch: &'a TrainingBatch,
        gradient: &'a mut FloatNetwork,
    ) -> f32 {
        let (hidden, outputs) = (network.hidden(), network.outputs.len());
        let samples = (batch.results.len() / outputs).max(1);
        let words = batch.features.len() / samples;
        let mut largest = FloatRow::ZERO;
        let states = batch.features.chunks_exact(words.max(1));
        for (features, results) in states.zip(batch.results.chunks_exact(outputs)) {
            let sums = sum_rows(network, features);
            let mut back = FloatRow::ZERO;
            for (output, &result) in results.iter().enumerate() {
                let weights = &network.outputs[output];
                let logit = sums.0[hidden + output] + square_product(&sums, weights);
                let error = 1.0 / (1.0 + (-logit).exp()) - result;
                let gradient = &mut gradient.outputs[output];
                for column in 0..COLUMNS {
                    let sum = sums.0[column];
                    let rectified = sum.max(0.0);
                    gradient.0[column] += error * rectified * rectified;
                    back.0[column] += error * weights.0[column] * 2.0 * rectified;
                }
                back.0[hidden + output] = error;
            }
            add_to_rows(gradient, features, &back);
            for (largest, sum) in largest.0.iter_mut().zip(&sums.0) {
                *largest = largest.max(sum.abs());
            }
        }
        for output in &mut gradient.outputs {
            output.0[hidden..].fill(0.0);
        }
        largest.0.iter().fold(0.0, |most: f32, &sum| most.max(sum))
    }
}

/// The sum of the rows of features, and the bias.
#[inline(always)]
fn sum_rows(network: &FloatNetwork, features: &[u64]) -> FloatRow {
    let mut sums = network.bias.0;
    for (rows, &word) in network.rows.chunks(64).zip(features) {
        let mut rest = word;
        while rest != 0 {
            let row = &rows[rest.trailing_zeros() as usize].0;
            // A new array stays in registers.
            let mut next = [0.0; COLUMNS];
            for (column, next) in next.iter_mut().enumerate() {
                *next = sums[column] + row[column];
            }
            sums = next;
            rest &= rest - 1;
        }
    }
    FloatRow(sums)
}

/// Adds the same numbers to the rows of features and to the bias.
#[inline(always)]
fn add_to_rows(network: &mut FloatNetwork, features: &[u64], numbers: &FloatRow) {
    let numbers = numbers.0;
    let add = |row: &mut FloatRow| {
        let columns = row.0.iter_mut().zip(&numbers);
        columns.for_each(|(sum, number)| *sum += number);
    };
    for (rows, &word) in network.rows.chunks_mut(64).zip(features) {
        let mut rest = word;
        while rest != 0 {
            add(&mut rows[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
    }
    add(&mut network.bias);
}

/// The sum of the squares of these numbers, times their weights, negative ones counting as 0.
#[inline(always)]
fn square_product(sums: &FloatRow, weights: &FloatRow) -> f32 {
    // Several partial sums: each addition would wait for the one before.
    let mut parts = [0.0_f32; 16];
    for (sums, weights) in sums.0.chunks_exact(16).zip(weights.0.chunks_exact(16)) {
        for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
            let rectified = sum.max(0.0);
            *part += rectified * rectified * weight;
        }
    }
    let mut width = 8;
    while width > 0 {
        for index in 0..width {
            parts[index] += parts[index + width];
        }
        width /= 2;
    }
    parts[0]
}
