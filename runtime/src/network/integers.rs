//! Networks in 16-bit integers, by which searches value states.

use super::COLUMNS;
use crate::lanes::{Word, Word256, kernel};

/// A 16-bit number per column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct IntegerRow(pub [i16; COLUMNS]);

/// A network in 16-bit integers. Sums of the first layer wrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerNetwork {
    /// For every feature the negative of its row, then the row: what a sum changes by when the
    /// feature disappears or appears.
    changes: Vec<[IntegerRow; 2]>,
    bias: IntegerRow,
    outputs: Vec<OutputWeights>,
}

/// The weights that give an output from the sums of the first layer, where negative sums count
/// as 0 (see [`Word::square_product`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputWeights {
    /// Of their squares, divided by 2^15.
    pub squares: IntegerRow,
    /// Of the sums themselves.
    pub linear: IntegerRow,
}

impl IntegerNetwork {
    /// A network with a row for every feature, a row that is always added to their sum,
    /// and the weights of each output.
    #[must_use]
    pub fn new(rows: &[IntegerRow], bias: IntegerRow, outputs: Vec<OutputWeights>) -> Self {
        let negative = |row: &IntegerRow| IntegerRow(row.0.map(i16::wrapping_neg));
        Self {
            changes: rows.iter().map(|row| [negative(row), *row]).collect(),
            bias,
            outputs,
        }
    }

    /// Replaces `outputs` by those of states, state after state, given as the words of their
    /// features one after another. `origin` has those of a state from which they differ in few
    /// features: the cost lies in the differences.
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
                outputs.push(word.square_product(&sums.0, &weights.squares.0, &weights.linear.0));
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
