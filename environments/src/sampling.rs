//! Uniformly random legal actions.

use crate::bits::MaskRow;
use gdl_runtime::bit_rows::{draw_rows, gather_rows};
use gdl_runtime::random::SplitMix;

/// The number of rows that are read at a time: as many as fit in the first-level cache.
const ROWS: usize = 256;

/// Draws, for every row of masks, one of the actions that it allows, each with the same
/// probability: 0 where it allows none. The same seed draws the same.
///
/// # Panics
/// If there are not as many rows as actions.
pub fn sample_actions(masks: &[u8], row: MaskRow, seed: u64, actions: &mut [i32]) {
    let bytes = row.bytes();
    assert_eq!(masks.len(), bytes * actions.len(), "a row for every action");
    if bytes == 0 {
        actions.fill(0);
        return;
    }
    let mut numbers = SplitMix::new(seed);
    let mut table = Vec::new();
    for (actions, masks) in actions.chunks_mut(ROWS).zip(masks.chunks(ROWS * bytes)) {
        match row.packed {
            true => read_packed(masks, bytes, &mut table),
            false => gather_rows(masks, bytes, &mut table),
        }
        draw_rows(&table, bytes_in_words(row), &mut numbers, actions);
    }
}

fn bytes_in_words(row: MaskRow) -> usize {
    match row.packed {
        true => row.bytes().div_ceil(8),
        false => row.words(),
    }
}

/// Replaces a table by packed rows of this many bytes.
fn read_packed(masks: &[u8], bytes: usize, table: &mut Vec<u64>) {
    table.clear();
    if bytes == 1 {
        table.extend(masks.iter().map(|&mask| u64::from(mask)));
        return;
    }
    for mask in masks.chunks_exact(bytes) {
        table.extend(mask.chunks(8).map(|bytes| {
            match bytes.first_chunk::<8>() {
                Some(&bytes) => u64::from_le_bytes(bytes),
                None => bytes
                    .iter()
                    .rev()
                    .fold(0, |word, &byte| word << 8 | u64::from(byte)),
            }
        }));
    }
}
