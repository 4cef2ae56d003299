//! Networks in 16-bit integers, as searches use them.
//!
//! Sums wrap, which does no harm as long as the final sum is in range; the scale leaves
//! room for sums four times larger than any that training met.

use super::features::set_bits;
use super::network::{COLUMNS, MAX_HEADS, ValueHeads, ValueNetwork, hidden_units, sigmoid};

/// The largest sum of the first layer that training met, after scaling.
const LARGEST_SUM: f32 = 8191.0;

/// The largest weight of the second layer after scaling.
const LARGEST_OUTPUT: f32 = 511.0;

/// The logit from which on a value counts as 1, and its negative as 0.
const LARGEST_LOGIT: f32 = 12.0;

/// Entries of the table of the logistic function per unit of the logit.
const RESOLUTION: f32 = 64.0;

/// A network with integer weights.
#[derive(Debug, Clone)]
pub struct QuantisedNetwork {
    heads: ValueHeads,
    rows: Vec<[i16; COLUMNS]>,
    bias: [i16; COLUMNS],
    output: Vec<[i16; COLUMNS]>,
    /// Entries of `values` per unit of an output.
    step: Vec<f32>,
    /// The logistic function.
    values: Vec<f32>,
}

/// The first layer's sums of one state.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Sums([i16; COLUMNS]);

impl QuantisedNetwork {
    /// Quantises a network. `largest` is the largest absolute sum of its first layer
    /// that training met.
    #[must_use]
    pub fn new(network: &ValueNetwork, largest: f32) -> Self {
        let hidden = hidden_units(network.heads);
        let scale = (LARGEST_SUM / largest.max(1.0)).min(2048.0);
        let widen = |row: &[f32; COLUMNS]| {
            let mut wide = [0; COLUMNS];
            for (to, &weight) in wide.iter_mut().zip(&row[..hidden]) {
                *to = quantise(weight, scale);
            }
            for head in 0..network.heads.count() {
                // A rectified sum and its rectified negative: together the sum itself.
                wide[hidden + 2 * head] = quantise(row[hidden + head], scale);
                wide[hidden + 2 * head + 1] = quantise(-row[hidden + head], scale);
            }
            wide
        };
        let largest_output = |output: &[f32; COLUMNS]| {
            output[..hidden]
                .iter()
                .fold(1.0_f32, |most, weight| most.max(weight.abs()))
        };
        let scales: Vec<f32> = (network.output.iter())
            .map(|output| LARGEST_OUTPUT / largest_output(output))
            .collect();
        let outputs = network.output.iter().zip(&scales).enumerate();
        let output = outputs.map(|(head, (weights, &scale))| {
            let mut wide = [0; COLUMNS];
            for (to, &weight) in wide.iter_mut().zip(&weights[..hidden]) {
                *to = quantise(weight, scale);
            }
            wide[hidden + 2 * head] = quantise(1.0, scale);
            wide[hidden + 2 * head + 1] = quantise(-1.0, scale);
            wide
        });
        let entries = (2.0 * LARGEST_LOGIT * RESOLUTION) as usize;
        let logit = |entry: usize| entry as f32 / RESOLUTION - LARGEST_LOGIT;
        Self {
            heads: network.heads,
            rows: network.rows.iter().map(widen).collect(),
            bias: widen(&network.bias),
            output: output.collect(),
            step: scales
                .iter()
                .map(|other| RESOLUTION / (scale * other))
                .collect(),
            values: (0..=entries).map(|entry| sigmoid(logit(entry))).collect(),
        }
    }

    /// How the values of roles follow from its outputs.
    #[must_use]
    pub fn heads(&self) -> ValueHeads {
        self.heads
    }

    /// The first layer's sums of a state with these features.
    #[must_use]
    pub fn sums(&self, features: &[u64]) -> Sums {
        let mut sums = Sums(self.bias);
        set_bits(features).for_each(|feature| add(&mut sums, &self.rows[feature]));
        sums
    }

    /// The sums of a state, from those of another one with many of the same features.
    #[must_use]
    #[inline]
    pub fn sums_from(&self, sums: &Sums, features: &[u64], others: &[u64]) -> Sums {
        let mut sums = *sums;
        for (word, (&before, &after)) in features.iter().zip(others).enumerate() {
            let rows = &self.rows[64 * word..];
            let mut changed = before ^ after;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                if after >> bit & 1 == 1 {
                    add(&mut sums, &rows[bit]);
                } else {
                    subtract(&mut sums, &rows[bit]);
                }
                changed &= changed - 1;
            }
        }
        sums
    }

    /// Writes the value of every role, 0 to 1.
    #[inline]
    pub fn values(&self, sums: &Sums, values: &mut [f32]) {
        match self.heads {
            ValueHeads::ConstantSum => {
                values[0] = self.value(0, sums);
                values[1] = 1.0 - values[0];
            }
            ValueHeads::PerRole(_) => {
                for (head, value) in values.iter_mut().enumerate() {
                    *value = self.value(head, sums);
                }
            }
        }
    }

    #[inline]
    fn value(&self, head: usize, sums: &Sums) -> f32 {
        let units = sums.0.iter().zip(&self.output[head]);
        let output: i32 = units
            .map(|(&sum, &weight)| i32::from(sum.max(0)) * i32::from(weight))
            .sum();
        let middle = LARGEST_LOGIT * RESOLUTION;
        // The conversion saturates below 0.
        let entry = (output as f32 * self.step[head] + middle) as usize;
        self.values[entry.min(self.values.len() - 1)]
    }
}

const _: () = assert!(2 * MAX_HEADS < COLUMNS);

fn quantise(weight: f32, scale: f32) -> i16 {
    // The conversion saturates.
    (weight * scale).round() as i16
}

#[inline]
fn add(sums: &mut Sums, row: &[i16; COLUMNS]) {
    for (sum, weight) in sums.0.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline]
fn subtract(sums: &mut Sums, row: &[i16; COLUMNS]) {
    for (sum, weight) in sums.0.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}
