//! Networks in 16-bit integers, as searches use them.
//!
//! Sums wrap, which does no harm as long as the final sum is in range; the scale leaves
//! room for sums twice as large as any that training met, which then count as the largest.

use std::ops::Range;

use gdl_runtime::lanes::LARGEST_NUMBER;
use gdl_runtime::network::{
    COLUMNS, FloatNetwork, FloatRow, IntegerNetwork, IntegerRow, OutputWeights,
};

use super::network::{MAX_HEADS, ValueHeads, ValueNetwork, hidden_units, sigmoid};
use crate::expander::Positions;

/// The largest sum of the first layer that training met, after scaling.
const LARGEST_SUM: f32 = LARGEST_NUMBER as f32;

/// The largest weight of the second layer after scaling: an output does not wrap, even if all
/// sums were as large as that.
const LARGEST_OUTPUT: f32 = 4095.0;

/// What the products of sums, and of weights of their squares, are divided by.
const SQUARE: f32 = 32768.0;

/// The logit from which a value counts as 1, and whose negative counts as 0.
const LARGEST_LOGIT: f32 = 12.0;

/// Entries of the table of the logistic function per unit of the logit.
const RESOLUTION: f32 = 64.0;

/// A network with integer weights.
#[derive(Debug, Clone)]
pub struct QuantisedNetwork {
    heads: ValueHeads,
    integers: IntegerNetwork,
    /// Entries of `values` per unit of an output.
    step: Vec<f32>,
    /// The logistic function.
    values: Vec<f32>,
    /// The heads of roles whose goal does not depend on how the game ends, with their values.
    constants: Vec<(usize, f32)>,
}

/// The values of some states for every role, 0 to 1.
#[derive(Debug, Clone, Default)]
pub struct StateValues {
    outputs: Vec<i32>,
    values: Vec<f32>,
    roles: usize,
}

impl StateValues {
    /// These values, state after state.
    #[cfg(test)]
    pub(crate) fn of_roles(roles: usize, values: impl Iterator<Item = f32>) -> Self {
        Self {
            outputs: Vec::new(),
            values: values.collect(),
            roles,
        }
    }

    /// The values of a state, one per role.
    #[inline]
    #[must_use]
    pub fn of(&self, state: usize) -> &[f32] {
        &self.values[state * self.roles..][..self.roles]
    }

    /// Replaces the values of a state by those of these goals.
    pub fn set_goals(&mut self, state: usize, goals: &[i32]) {
        let values = &mut self.values[state * self.roles..][..self.roles];
        let pairs = values.iter_mut().zip(goals);
        pairs.for_each(|(value, &goal)| *value = goal as f32 / 100.0);
    }
}

impl QuantisedNetwork {
    /// Quantises a network. `largest` is the largest absolute sum of its first layer
    /// that training met.
    #[must_use]
    pub fn new(network: &ValueNetwork, largest: f32) -> Self {
        let hidden = hidden_units(network.heads);
        let scale = (LARGEST_SUM / largest.max(1.0)).min(2048.0);
        let FloatNetwork {
            rows,
            bias,
            outputs,
        } = &network.weights;
        let widen = |FloatRow(row): &FloatRow| {
            let mut wide = [0; COLUMNS];
            for (to, &weight) in wide.iter_mut().zip(&row[..hidden]) {
                *to = quantise(weight, scale);
            }
            for head in 0..network.heads.count() {
                // A rectified sum and its rectified negative: together the sum itself.
                wide[hidden + 2 * head] = quantise(row[hidden + head], scale);
                wide[hidden + 2 * head + 1] = quantise(-row[hidden + head], scale);
            }
            IntegerRow(wide)
        };
        let largest_output = |FloatRow(output): &FloatRow| {
            output[..hidden]
                .iter()
                .fold(1.0_f32, |most, weight| most.max(weight.abs()))
        };
        let scales: Vec<f32> = (outputs.iter())
            .map(|output| LARGEST_OUTPUT / largest_output(output))
            .collect();
        // What an output is per unit of the logit.
        let unit = |other: f32| other * scale * scale / SQUARE;
        let outputs = outputs.iter().zip(&scales).enumerate();
        let outputs = outputs.map(|(head, (FloatRow(weights), &other))| {
            let (mut squares, mut linear) = ([0; COLUMNS], [0; COLUMNS]);
            for (to, &weight) in squares.iter_mut().zip(&weights[..hidden]) {
                *to = quantise(weight, other);
            }
            linear[hidden + 2 * head] = quantise(1.0, unit(other) / scale);
            linear[hidden + 2 * head + 1] = quantise(-1.0, unit(other) / scale);
            OutputWeights {
                squares: IntegerRow(squares),
                linear: IntegerRow(linear),
            }
        });
        let rows: Vec<IntegerRow> = rows.iter().map(widen).collect();
        let entries = (2.0 * LARGEST_LOGIT * RESOLUTION) as usize;
        let logit = |entry: usize| entry as f32 / RESOLUTION - LARGEST_LOGIT;
        Self {
            heads: network.heads,
            integers: IntegerNetwork::new(&rows, widen(bias), outputs.collect()),
            step: (scales.iter())
                .map(|&other| RESOLUTION / unit(other))
                .collect(),
            values: (0..=entries).map(|entry| sigmoid(logit(entry))).collect(),
            constants: Vec::new(),
        }
    }

    /// The same with all logits multiplied by this factor.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> Self {
        self.step.iter_mut().for_each(|step| *step *= factor);
        self
    }

    /// The same for a game in which these roles get these values, 0 to 1, however it ends. The
    /// network's own values would be close to them, but not the same after all moves.
    #[must_use]
    pub(crate) fn with_constants(self, constants: &[(usize, f32)]) -> Self {
        let constants = constants.to_vec();
        Self { constants, ..self }
    }

    /// How the values of roles follow from its outputs.
    #[must_use]
    pub fn heads(&self) -> ValueHeads {
        self.heads
    }

    /// Values states, given by the words of their features one after another. `origin` has
    /// the features of a state with many of the same, such as the one before them.
    pub fn evaluate(&self, origin: &[u64], states: &[u64], values: &mut StateValues) {
        let StateValues {
            outputs,
            values,
            roles,
        } = values;
        self.integers.evaluate(origin, states, outputs);
        values.clear();
        match self.heads {
            ValueHeads::ConstantSum => {
                *roles = 2;
                for &output in &*outputs {
                    let value = self.value(0, output);
                    values.extend([value, 1.0 - value]);
                }
            }
            ValueHeads::PerRole(heads) => {
                *roles = heads;
                for outputs in outputs.chunks_exact(heads) {
                    let outputs = outputs.iter().enumerate();
                    values.extend(outputs.map(|(head, &output)| self.value(head, output)));
                }
                for &(head, value) in &self.constants {
                    let own = values.iter_mut().skip(head).step_by(heads);
                    own.for_each(|own| *own = value);
                }
            }
        }
    }

    /// Values positions of this range as [`evaluate`](Self::evaluate) does; those where the game is
    /// over are worth their goals.
    pub(crate) fn evaluate_positions(
        &self,
        origin: &[u64],
        positions: &Positions,
        range: Range<usize>,
        values: &mut StateValues,
    ) {
        self.evaluate(origin, positions.features_of(range.clone()), values);
        for (state, index) in range.enumerate() {
            if positions.terminal[index] {
                values.set_goals(state, positions.goals(index));
            }
        }
    }

    #[inline]
    fn value(&self, head: usize, output: i32) -> f32 {
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
