//! Networks give what a plain sum over the features gives, and gradients are slopes, at every
//! width.
#![allow(unsafe_code)]

use gdl_runtime::lanes::{LARGEST_NUMBER, Word};
use gdl_runtime::network::{
    Adam, COLUMNS, FloatNetwork, FloatRow, IntegerNetwork, IntegerRow, OutputWeights,
    TrainingBatch, add_gradients, evaluate,
};
use gdl_runtime::random::SplitMix;

const WORDS: usize = 3;

/// Samples of a batch, and how far a weight is changed to measure a slope.
const SAMPLES: usize = 40;
const STEP: f32 = 0.001;

fn integer_row(numbers: &mut SplitMix) -> IntegerRow {
    // All values, so that sums wrap.
    IntegerRow(std::array::from_fn(|_| numbers.next_u64() as i16))
}

fn holds(features: &[u64], feature: usize) -> bool {
    features[feature / 64] >> (feature % 64) & 1 != 0
}

/// A network evaluated column by column.
struct Plain {
    rows: Vec<IntegerRow>,
    bias: IntegerRow,
    outputs: Vec<OutputWeights>,
}

impl Plain {
    fn outputs(&self, features: &[u64]) -> Vec<i32> {
        let mut sums = self.bias.0;
        for (feature, row) in self.rows.iter().enumerate() {
            if holds(features, feature) {
                let columns = sums.iter_mut().zip(row.0);
                columns.for_each(|(sum, weight)| *sum = sum.wrapping_add(weight));
            }
        }
        let output = |weights: &OutputWeights| {
            let columns = sums.iter().zip(weights.squares.0).zip(weights.linear.0);
            let products = columns.map(|((&sum, square), linear)| {
                let sum = i32::from(sum.clamp(0, LARGEST_NUMBER));
                let scaled = (f64::from(sum) * f64::from(square) / 32768.0 + 0.5).floor();
                // 16 bits, as the weight of a number.
                sum * i32::from((scaled as i32 + i32::from(linear)) as i16)
            });
            products.fold(0, i32::wrapping_add)
        };
        self.outputs.iter().map(output).collect()
    }
}

fn integers_are_exact<W: Word>(seed: u64) {
    let mut numbers = SplitMix::new(seed);
    // SAFETY: the macro asked whether the width is available.
    let proof = unsafe { W::splat(false) };
    for (rows, outputs) in [(64 * WORDS, 1), (64 * WORDS - 20, 3)] {
        let plain = Plain {
            rows: (0..rows).map(|_| integer_row(&mut numbers)).collect(),
            bias: integer_row(&mut numbers),
            outputs: (0..outputs)
                .map(|_| OutputWeights {
                    squares: integer_row(&mut numbers),
                    linear: integer_row(&mut numbers),
                })
                .collect(),
        };
        let network = IntegerNetwork::new(&plain.rows, plain.bias, plain.outputs.clone());
        let mut state = || {
            let mut words: Vec<u64> = (0..WORDS).map(|_| numbers.next_u64()).collect();
            words[WORDS - 1] &= u64::MAX >> (64 * WORDS - rows);
            words
        };
        let origin = state();
        let mut states = Vec::new();
        (0..20).for_each(|_| states.extend(state()));
        let (mut found, mut dispatched) = (vec![7], Vec::new());
        evaluate(proof, proof, &network, &origin, &states, &mut found);
        let all = states.chunks(WORDS).map(|state| plain.outputs(state));
        assert_eq!(found, all.collect::<Vec<_>>().concat());
        network.evaluate(&origin, &states, &mut dispatched);
        assert_eq!(found, dispatched);
    }
}

#[test]
fn integer_networks_are_exact() {
    with_every_word!(integers_are_exact);
}

/// A network of random weights, and random samples.
fn floats(numbers: &mut SplitMix, outputs: usize) -> (FloatNetwork, TrainingBatch) {
    let mut number = || numbers.next_u64() as f32 / u64::MAX as f32 - 0.5;
    let mut row = |columns: usize| {
        let mut row = FloatRow::ZERO;
        row.0[..columns].fill_with(&mut number);
        row
    };
    let hidden = COLUMNS - 2 * outputs;
    let network = FloatNetwork {
        rows: (0..64 * WORDS - 20)
            .map(|_| row(hidden + outputs))
            .collect(),
        bias: row(hidden + outputs),
        outputs: (0..outputs).map(|_| row(hidden)).collect(),
    };
    let sparse = |numbers: &mut SplitMix| numbers.next_u64() & numbers.next_u64() & u64::MAX >> 20;
    let batch = TrainingBatch {
        features: (0..SAMPLES * WORDS).map(|_| sparse(numbers)).collect(),
        results: (0..SAMPLES * outputs)
            .map(|_| numbers.next_u64() as f32 / u64::MAX as f32)
            .collect(),
    };
    (network, batch)
}

/// The total cross entropy of a batch.
fn loss(network: &FloatNetwork, batch: &TrainingBatch) -> f64 {
    let states = batch.features.chunks(WORDS);
    let logits = states.flat_map(|features| network.logits(features));
    let losses = logits.zip(&batch.results).map(|(logit, &result)| {
        let (logit, result) = (f64::from(logit), f64::from(result));
        logit.exp().ln_1p() - result * logit
    });
    losses.sum()
}

/// All weights of a network, one after another.
fn weights(network: &mut FloatNetwork) -> impl Iterator<Item = &mut f32> {
    let rows = network.rows.iter_mut().chain([&mut network.bias]);
    rows.chain(&mut network.outputs).flat_map(|row| &mut row.0)
}

fn gradients_are_slopes_of_the_loss<W: Word>(seed: u64) {
    let mut numbers = SplitMix::new(seed);
    // SAFETY: the macro asked whether the width is available.
    let proof = unsafe { W::splat(false) };
    for outputs in [1, 3] {
        let (mut network, batch) = floats(&mut numbers, outputs);
        let (mut gradient, mut dispatched) = (network.zeros(), network.zeros());
        let largest = add_gradients(proof, proof, &network, &batch, &mut gradient);
        assert_eq!(largest, network.add_gradients(&batch, &mut dispatched));
        // Each column is computed separately, so all widths give the same.
        assert_eq!(gradient, dispatched);
        for (index, &slope) in weights(&mut gradient).map(|slope| &*slope).enumerate() {
            if index % 7 > 0 {
                continue;
            }
            let mut loss_at = |change: f32| {
                *weights(&mut network).nth(index).expect("a weight") += change;
                let loss = loss(&network, &batch);
                *weights(&mut network).nth(index).expect("a weight") -= change;
                loss
            };
            let column = index % COLUMNS;
            let is_used = column < COLUMNS - outputs && index < (64 * WORDS - 19) * COLUMNS
                || column < COLUMNS - 2 * outputs;
            let expected = match is_used {
                true => (loss_at(STEP) - loss_at(-STEP)) / f64::from(2.0 * STEP),
                false => 0.0,
            };
            assert!(
                (f64::from(slope) - expected).abs() < 0.05 * (1.0 + expected.abs()),
                "weight {index}: {slope} for {expected}, seed {seed}"
            );
        }
    }
}

#[test]
fn gradients_are_right_at_every_width() {
    with_every_word!(gradients_are_slopes_of_the_loss);
}

#[test]
fn adam_moves_by_its_rate_at_first_and_finds_the_least_loss() {
    let mut numbers = SplitMix::new(gdl_testing::seed());
    let (mut network, batch) = floats(&mut numbers, 2);
    let mut gradient = network.zeros();
    let mut adam = Adam::new(&network);
    let before = network.clone();
    network.add_gradients(&batch, &mut gradient);
    let slopes = gradient.clone();
    adam.update(&mut network, &mut gradient, 0.01, SAMPLES);
    assert_eq!(gradient, network.zeros());
    for ((row, old), slope) in network.rows.iter().zip(&before.rows).zip(&slopes.rows) {
        for column in 0..COLUMNS {
            let change = row.0[column] - old.0[column];
            let expected = match slope.0[column] {
                slope if slope.abs() < 1e-3 => continue,
                slope => -0.01 * slope.signum(),
            };
            assert!((change - expected).abs() < 1e-3, "{change} for {expected}");
        }
    }
    for _ in 0..400 {
        network.add_gradients(&batch, &mut gradient);
        adam.update(&mut network, &mut gradient, 0.01, SAMPLES);
    }
    // The results can be memorised, up to their own entropy.
    let entropy = |result: f32| {
        let result = f64::from(result).clamp(1e-6, 1.0 - 1e-6);
        -result * result.ln() - (1.0 - result) * (1.0 - result).ln()
    };
    let least: f64 = batch.results.iter().copied().map(entropy).sum();
    assert!(loss(&before, &batch) > 1.1 * least);
    assert!(loss(&network, &batch) < 1.02 * least);
}
