//! The arithmetic of networks whose first layer is a sum of rows over the features of a
//! state: in integers for searches, in floating point for training.

use crate::lanes::{Word, Word256, kernel};

/// The number of columns of the first layer.
pub const COLUMNS: usize = 32;

/// A 16-bit number per column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct IntegerRow(pub [i16; COLUMNS]);

/// A network in 16-bit integers. Sums of the first layer wrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerNetwork {
    /// For every feature the negative of its row, then the row: what a sum changes by when
    /// the feature goes or comes.
    changes: Vec<[IntegerRow; 2]>,
    bias: IntegerRow,
    outputs: Vec<IntegerRow>,
}

impl IntegerNetwork {
    /// A network with a row for every feature, a row that is always added to their sum,
    /// and for each output the weights of the rectified sums.
    #[must_use]
    pub fn new(rows: &[IntegerRow], bias: IntegerRow, outputs: Vec<IntegerRow>) -> Self {
        let negative = |row: &IntegerRow| IntegerRow(row.0.map(i16::wrapping_neg));
        Self {
            changes: rows.iter().map(|row| [negative(row), *row]).collect(),
            bias,
            outputs,
        }
    }

    /// Replaces `outputs` by those of states, state after state, which are given by the
    /// words of their features one after another. `origin` has those of a state from which
    /// they differ in few features: the differences are what takes time.
    ///
    /// # Panics
    /// If a state has a feature without a row.
    pub fn evaluate(&self, origin: &[u64], states: &[u64], outputs: &mut Vec<i32>) {
        if let Some(proof) = Word256::zero() {
            return evaluate(proof, proof, self, origin, states, outputs);
        }
        evaluate(0, 0, self, origin, states, outputs);
    }
}

kernel! {
    /// See [`IntegerNetwork::evaluate`].
    pub fn evaluate<'a, W>(
        word: W,
        network: &'a IntegerNetwork,
        origin: &'a [u64],
        states: &'a [u64],
        outputs: &'a mut Vec<i32>,
    ) {
        outputs.clear();
        let mut sums = network.bias;
        for (rows, &word) in network.changes.chunks(64).zip(origin) {
            change(&mut sums, rows, word, word);
        }
        for features in states.chunks_exact(origin.len()) {
            let mut sums = sums;
            let words = features.iter().zip(origin);
            for (rows, (&word, &before)) in network.changes.chunks(64).zip(words) {
                change(&mut sums, rows, word ^ before, word);
            }
            for weights in &network.outputs {
                outputs.push(word.rectified_product(&sums.0, &weights.0));
            }
        }
    }
}

/// Changes sums by the features that changed and now are as given.
#[inline(always)]
fn change(sums: &mut IntegerRow, changes: &[[IntegerRow; 2]], changed: u64, features: u64) {
    let mut changed = changed;
    while changed != 0 {
        let bit = changed.trailing_zeros();
        let row = &changes[bit as usize][(features >> bit & 1) as usize].0;
        // A new array stays in registers.
        let mut next = [0; COLUMNS];
        for (column, next) in next.iter_mut().enumerate() {
            *next = sums.0[column].wrapping_add(row[column]);
        }
        sums.0 = next;
        changed &= changed - 1;
    }
}

/// Adds the rows of features to `sums`.
///
/// # Panics
/// If a feature has no row.
pub fn sum_rows(rows: &[[f32; COLUMNS]], features: &[u64], sums: &mut [f32; COLUMNS]) {
    if let Some(proof) = Word256::zero() {
        return sum_float_rows(proof, proof, rows, features, sums);
    }
    sum_float_rows(0, 0, rows, features, sums);
}

/// Adds the same numbers to the rows of features.
///
/// # Panics
/// If a feature has no row.
pub fn add_to_rows(rows: &mut [[f32; COLUMNS]], features: &[u64], numbers: &[f32; COLUMNS]) {
    if let Some(proof) = Word256::zero() {
        return add_to_float_rows(proof, proof, rows, features, numbers);
    }
    add_to_float_rows(0, 0, rows, features, numbers);
}

kernel! {
    fn sum_float_rows<'a, W>(
        _word: W,
        rows: &'a [[f32; COLUMNS]],
        features: &'a [u64],
        sums: &'a mut [f32; COLUMNS],
    ) {
        let mut total = *sums;
        for (rows, &word) in rows.chunks(64).zip(features) {
            let mut rest = word;
            while rest != 0 {
                let row = &rows[rest.trailing_zeros() as usize];
                let mut next = [0.0; COLUMNS];
                for (column, next) in next.iter_mut().enumerate() {
                    *next = total[column] + row[column];
                }
                total = next;
                rest &= rest - 1;
            }
        }
        *sums = total;
    }
}

kernel! {
    fn add_to_float_rows<'a, W>(
        _word: W,
        rows: &'a mut [[f32; COLUMNS]],
        features: &'a [u64],
        numbers: &'a [f32; COLUMNS],
    ) {
        let numbers = *numbers;
        for (rows, &word) in rows.chunks_mut(64).zip(features) {
            let mut rest = word;
            while rest != 0 {
                let row = &mut rows[rest.trailing_zeros() as usize];
                for (sum, number) in row.iter_mut().zip(&numbers) {
                    *sum += number;
                }
                rest &= rest - 1;
            }
        }
    }
}
