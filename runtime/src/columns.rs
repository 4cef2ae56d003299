//! Rows to columns: bits that stand a row each for all lanes are brought
//! together for each lane, 64 rows at a time.
//!
//! A lane's bits are read one by one at a cache line each; here 64 rows are
//! turned as blocks of 64 by 64 bits, all blocks of a row at once (Warren,
//! "Hacker's Delight", 2nd edition, section 7-3).

use crate::lanes::{Kernel, Word};

/// For every lane, one after another, its bits of some rows: bit `row % 64` of
/// word `row / 64` of `rows / 64`, rounded up. `table` is overwritten.
pub fn gather_columns<W: Word>(
    rows: impl ExactSizeIterator<Item = W>,
    zero: W,
    table: &mut Vec<u64>,
) {
    let words = rows.len().div_ceil(64);
    table.resize(words * W::LANES, 0);
    let mut rows = rows;
    for word in 0..words {
        let mut block = [zero; 64];
        for row in &mut block {
            match rows.next() {
                Some(value) => *row = value,
                None => break,
            }
        }
        turn(&mut block);
        for (lane, row) in block.iter().enumerate() {
            for (part, &column) in row.words().iter().enumerate() {
                table[(part * 64 + lane) * words + word] = column;
            }
        }
    }
}

/// Turns every block of 64 rows and 64 lanes: row `i` then holds the bits of lane
/// `i` of each block.
pub fn turn<W: Word>(rows: &mut [W; 64]) {
    let proof = rows[0];
    W::run(Turn(rows), proof);
}

struct Turn<'a, W>(&'a mut [W; 64]);

impl<W: Word> Kernel for Turn<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let rows = self.0;
        swap::<W, 32, 32>(rows, 0x0000_0000_ffff_ffff);
        swap::<W, 16, 48>(rows, 0x0000_ffff_0000_ffff);
        swap::<W, 8, 56>(rows, 0x00ff_00ff_00ff_00ff);
        swap::<W, 4, 60>(rows, 0x0f0f_0f0f_0f0f_0f0f);
        swap::<W, 2, 62>(rows, 0x3333_3333_3333_3333);
        swap::<W, 1, 63>(rows, 0x5555_5555_5555_5555);
    }
}

/// Swaps, in rows that are `STEP` apart, the high parts of the first with the low
/// parts of the second; `BACK` is 64 less `STEP`, and the mask is of low parts.
#[inline(always)]
fn swap<W: Word, const STEP: u32, const BACK: u32>(rows: &mut [W; 64], low: u64) {
    let mut mask = rows[0];
    for word in mask.words_mut() {
        *word = low;
    }
    let step = STEP as usize;
    for start in (0..64).step_by(2 * step) {
        for at in start..start + step {
            let (first, second) = (rows[at], rows[at + step]);
            // (first ^ second) & mask
            let differ = W::lut3::<0b0010_1000>(first.rotl64::<BACK>(), second, mask);
            rows[at] = first.xor(differ.rotl64::<STEP>());
            rows[at + step] = second.xor(differ);
        }
    }
}
