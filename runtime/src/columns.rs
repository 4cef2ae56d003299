//! Rows to columns: bits that stand a row each for all lanes are brought
//! together for each lane, 64 rows at a time.
//!
//! A lane's bits are read one by one at a cache line each; here 64 rows are
//! turned as blocks of 64 by 64 bits, all blocks of a row at once (Warren,
//! "Hacker's Delight", 2nd edition, section 7-3).

use crate::lanes::{Kernel, Word};

/// For every lane, one after another, its bits of some rows: bit `row % 64` of
/// word `row / 64`. `table` is overwritten.
pub fn gather_columns<W: Word>(rows: &[W], table: &mut Vec<u64>) {
    let words = rows.len().div_ceil(64);
    table.resize(words * W::LANES, 0);
    for (word, rows) in rows.chunks(64).enumerate() {
        let turn = Turn {
            rows,
            table: &mut table[word..],
            stride: words,
        };
        W::run(turn, rows[0]);
    }
}

/// For every lane the number whose bits these rows are, the lowest first, at most
/// 32. `numbers`, one for each lane, is overwritten.
pub fn gather_numbers<W: Word>(rows: &[W], numbers: &mut [u32]) {
    for (part, rows) in rows.chunks(16).enumerate() {
        let number = Number {
            rows,
            numbers: &mut *numbers,
            shift: part as u32 * 16,
        };
        W::run(number, rows[0]);
    }
}

struct Turn<'a, W> {
    rows: &'a [W],
    table: &'a mut [u64],
    stride: usize,
}

impl<W: Word> Kernel for Turn<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut block = [self.rows[0].xor(self.rows[0]); 64];
        block[..self.rows.len()].copy_from_slice(self.rows);
        swap::<W, 32, 32>(&mut block, 0x0000_0000_ffff_ffff);
        swap::<W, 16, 48>(&mut block, 0x0000_ffff_0000_ffff);
        swap::<W, 8, 56>(&mut block, 0x00ff_00ff_00ff_00ff);
        swap::<W, 4, 60>(&mut block, 0x0f0f_0f0f_0f0f_0f0f);
        swap::<W, 2, 62>(&mut block, 0x3333_3333_3333_3333);
        swap::<W, 1, 63>(&mut block, 0x5555_5555_5555_5555);
        let mut columns = self.table.iter_mut().step_by(self.stride);
        for part in 0..W::LANES / 64 {
            for (row, column) in block.iter().zip(&mut columns) {
                *column = row.words()[part];
            }
        }
    }
}

struct Number<'a, W> {
    rows: &'a [W],
    numbers: &'a mut [u32],
    shift: u32,
}

impl<W: Word> Kernel for Number<'_, W> {
    type Output = ();

    /// Blocks of 16 by 16 bits: row `i` ends up with the numbers of every 16th
    /// lane from `i`.
    #[inline(always)]
    fn run(self) {
        let mut block = [self.rows[0].xor(self.rows[0]); 16];
        block[..self.rows.len()].copy_from_slice(self.rows);
        swap::<W, 8, 56>(&mut block, 0x00ff_00ff_00ff_00ff);
        swap::<W, 4, 60>(&mut block, 0x0f0f_0f0f_0f0f_0f0f);
        swap::<W, 2, 62>(&mut block, 0x3333_3333_3333_3333);
        swap::<W, 1, 63>(&mut block, 0x5555_5555_5555_5555);
        for (part, numbers) in self.numbers.chunks_exact_mut(16).enumerate() {
            for (row, number) in block.iter().zip(numbers) {
                let bits = (row.words()[part / 4] >> (part % 4 * 16)) as u32 & 0xffff;
                *number = match self.shift {
                    0 => bits,
                    shift => *number | bits << shift,
                };
            }
        }
    }
}

/// Swaps, in rows that are `STEP` apart, the high parts of the first with the low
/// parts of the second; `BACK` is 64 less `STEP`, and the mask is of low parts.
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
