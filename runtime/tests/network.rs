//! Networks give what a plain sum over the features gives, at every width.
#![allow(unsafe_code)]

use gdl_runtime::lanes::Word;
use gdl_runtime::network::{COLUMNS, IntegerNetwork, IntegerRow, add_to_rows, evaluate, sum_rows};
use gdl_runtime::random::SplitMix;

const WORDS: usize = 3;

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
    outputs: Vec<IntegerRow>,
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
        let output = |weights: &IntegerRow| {
            let columns = sums.iter().zip(weights.0);
            let products = columns.map(|(&sum, weight)| i32::from(sum.max(0)) * i32::from(weight));
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
            outputs: (0..outputs).map(|_| integer_row(&mut numbers)).collect(),
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
    at_every_width!(integers_are_exact);
}

#[test]
fn sums_of_rows_are_in_the_order_of_features() {
    let mut numbers = SplitMix::new(gdl_testing::seed_or(1));
    let mut row = || -> [f32; COLUMNS] {
        std::array::from_fn(|_| numbers.next_u64() as f32 / u64::MAX as f32 - 0.5)
    };
    let mut rows: Vec<_> = (0..64 * WORDS).map(|_| row()).collect();
    let bias = row();
    let features = [0x8000_0000_0000_0001, 0, 0x1234_5678_9abc_def0];
    let (mut sums, mut expected) = (bias, bias);
    sum_rows(&rows, &features, &mut sums);
    let mut changed = rows.clone();
    for feature in (0..rows.len()).filter(|&feature| holds(&features, feature)) {
        for column in 0..COLUMNS {
            expected[column] += rows[feature][column];
            changed[feature][column] += bias[column];
        }
    }
    assert_eq!(sums, expected);
    add_to_rows(&mut rows, &features, &bias);
    assert_eq!(rows, changed);
}
