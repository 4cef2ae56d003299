//! Transposes bit matrices: from one row per bit for all lanes to the bits of each
//! lane, 64 rows at a time.
//!
//! Reading a lane's bits one by one costs a cache line each; here blocks of 64 by 64
//! bits are transposed, all blocks of a row at once (Warren, "Hacker's Delight",
//! 2nd edition, section 7-3).

use crate::lanes::{Word, kernel};

/// Overwrites `table` by the bits of every lane, lane after lane: bit `row % 64` of
/// word `row / 64`.
pub fn transpose_rows<W: Word>(rows: &[W], table: &mut Vec<u64>) {
    let words = rows.len().div_ceil(64);
    table.resize(words * W::LANES, 0);
    for (word, rows) in rows.chunks(64).enumerate() {
        transpose_64(rows[0], rows, &mut table[word..], words);
    }
}

/// Overwrites `numbers`, one per lane, by the numbers whose bits the rows hold, the
/// lowest first; at most 32 rows.
pub fn transpose_numbers<W: Word>(rows: &[W], numbers: &mut [u32]) {
    for (part, rows) in rows.chunks(16).enumerate() {
        transpose_16(rows[0], rows, numbers, part as u32 * 16);
    }
}

kernel! {
    /// Transposes up to 64 rows into every `stride`th word of a table.
    fn transpose_64<'a, W>(rows: &'a [W], table: &'a mut [u64], stride: usize) {
        let mut block = [rows[0].xor(rows[0]); 64];
        block[..rows.len()].copy_from_slice(rows);
        swap::<W, 32, 32>(&mut block, 0x0000_0000_ffff_ffff);
        swap::<W, 16, 48>(&mut block, 0x0000_ffff_0000_ffff);
        swap::<W, 8, 56>(&mut block, 0x00ff_00ff_00ff_00ff);
        swap::<W, 4, 60>(&mut block, 0x0f0f_0f0f_0f0f_0f0f);
        swap::<W, 2, 62>(&mut block, 0x3333_3333_3333_3333);
        swap::<W, 1, 63>(&mut block, 0x5555_5555_5555_5555);
        let mut columns = table.iter_mut().step_by(stride);
        for part in 0..W::LANES / 64 {
            for (row, column) in block.iter().zip(&mut columns) {
                *column = row.words()[part];
            }
        }
    }
}

kernel! {
    /// Transposes up to 16 rows into the bits of numbers from `shift` on. Works on
    /// blocks of 16 by 16 bits: row `i` ends up with the numbers of every 16th lane
    /// from `i`.
    fn transpose_16<'a, W>(rows: &'a [W], numbers: &'a mut [u32], shift: u32) {
        let mut block = [rows[0].xor(rows[0]); 16];
        block[..rows.len()].copy_from_slice(rows);
        swap::<W, 8, 56>(&mut block, 0x00ff_00ff_00ff_00ff);
        swap::<W, 4, 60>(&mut block, 0x0f0f_0f0f_0f0f_0f0f);
        swap::<W, 2, 62>(&mut block, 0x3333_3333_3333_3333);
        swap::<W, 1, 63>(&mut block, 0x5555_5555_5555_5555);
        for (part, numbers) in numbers.chunks_exact_mut(16).enumerate() {
            for (row, number) in block.iter().zip(numbers) {
                let bits = (row.words()[part / 4] >> (part % 4 * 16)) as u32 & 0xffff;
                *number = match shift {
                    0 => bits,
                    shift => *number | bits << shift,
                };
            }
        }
    }
}

/// Swaps, in rows that are `STEP` apart, the high parts of the first with the low
/// parts of the second; `BACK` is `64 - STEP`, and `low` masks the low parts.
#[inline(always)]
fn swap<W: Word, const STEP: u32, const BACK: u32>(rows: &mut [W], low: u64) {
    let mut mask = rows[0];
    for word in mask.words_mut() {
        *word = low;
    }
    let step = STEP as usize;
    for start in (0..rows.len()).step_by(2 * step) {
        for at in start..start + step {
            let (first, second) = (rows[at], rows[at + step]);
            // (first ^ second) & mask
            let differ = W::lut3::<0b0010_1000>(first.rotl64::<BACK>(), second, mask);
            rows[at] = first.xor(differ.rotl64::<STEP>());
            rows[at + step] = second.xor(differ);
        }
    }
}
