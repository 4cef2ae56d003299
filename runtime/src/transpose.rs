//! Transposes bit matrices: from one row per bit for all lanes to the bits of each
//! lane, and back, 64 rows at a time.
//!
//! Reading a lane's bits one by one costs a cache line each; here blocks of 64 by 64
//! bits are transposed, all blocks of a row at once (Warren, "Hacker's Delight",
//! 2nd edition, section 7-3).

use crate::lanes::{Word, kernel};

/// Overwrites `table` with the bits of the lowest `lanes` lanes, lane after lane: bit
/// `row % 64` of word `row / 64`.
pub fn transpose_rows<W: Word>(rows: &[W], lanes: usize, table: &mut Vec<u64>) {
    let words = rows.len().div_ceil(64);
    table.resize(words * lanes, 0);
    if takes_few_groups::<W>(lanes) {
        if let Some(&some) = rows.first() {
            transpose_groups(some, rows, lanes, table);
        }
        return;
    }
    for (word, rows) in rows.chunks(64).enumerate() {
        transpose_64(rows[0], rows, &mut table[word..], words);
    }
}

/// The reverse of [`transpose_rows`]: overwrites `rows` with the bits of every lane,
/// given lane after lane. Lanes beyond the end of the table get the bits of its last
/// lane.
///
/// # Panics
/// If the table has no lane.
pub fn transpose_table<W: Word>(table: &[u64], rows: &mut [W]) {
    let Some(&some) = rows.first() else { return };
    let words = rows.len().div_ceil(64);
    if takes_few_groups::<W>(table.len() / words) {
        load_groups(some, table, rows);
        return;
    }
    for (word, rows) in rows.chunks_mut(64).enumerate() {
        load_64(rows[0], &table[word..], words, rows);
    }
}

/// Whether these lanes are so few groups of 64 that several words of a group are better
/// transposed at once than several groups of a word.
fn takes_few_groups<W: Word>(lanes: usize) -> bool {
    2 * lanes.div_ceil(64) <= W::LANES / 64
}

/// Overwrites `numbers`, one per lane, with the numbers whose bits the rows hold, the
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
        swap_all(&mut block);
        let mut columns = table.iter_mut().step_by(stride);
        for part in 0..W::LANES / 64 {
            for (row, column) in block.iter().zip(&mut columns) {
                *column = row.words()[part];
            }
        }
    }
}

kernel! {
    /// Transposes every `stride`th word of a table into up to 64 rows.
    fn load_64<'a, W>(table: &'a [u64], stride: usize, rows: &'a mut [W]) {
        let mut block = [rows[0]; 64];
        let mut columns = table.iter().step_by(stride);
        let mut last = 0;
        for part in 0..W::LANES / 64 {
            for row in &mut block {
                last = columns.next().copied().unwrap_or(last);
                row.words_mut()[part] = last;
            }
        }
        swap_all(&mut block);
        rows.copy_from_slice(&block[..rows.len()]);
    }
}

kernel! {
    /// Transposes rows into the words of the lowest lanes, a block for as many words of
    /// groups of 64 lanes as fit side by side.
    fn transpose_groups<'a, W>(rows: &'a [W], lanes: usize, table: &'a mut [u64]) {
        let words = rows.len().div_ceil(64);
        let places: Vec<Place> = places(words, lanes).collect();
        for places in places.chunks(W::LANES / 64) {
            let mut block = [rows[0].xor(rows[0]); 64];
            for (part, place) in places.iter().enumerate() {
                for (to, row) in block.iter_mut().zip(&rows[64 * place.word..]) {
                    to.words_mut()[part] = row.words()[place.group];
                }
            }
            swap_all(&mut block);
            for (part, place) in places.iter().enumerate() {
                let columns = table[64 * place.group * words + place.word..].iter_mut();
                for (row, column) in block.iter().zip(columns.step_by(words)) {
                    *column = row.words()[part];
                }
            }
        }
    }
}

kernel! {
    /// The reverse of `transpose_groups`. Further lanes get the bits of the last one.
    fn load_groups<'a, W>(table: &'a [u64], rows: &'a mut [W]) {
        let words = rows.len().div_ceil(64);
        let last = &table[table.len() - words..];
        for (rows, &bits) in rows.chunks_mut(64).zip(last) {
            for (bit, row) in rows.iter_mut().enumerate() {
                *row = row.repeat((bits >> bit & 1).wrapping_neg());
            }
        }
        let places: Vec<Place> = places(words, table.len() / words).collect();
        for places in places.chunks(W::LANES / 64) {
            let mut block = [rows[0]; 64];
            for (part, place) in places.iter().enumerate() {
                let columns = table[64 * place.group * words + place.word..].iter();
                let mut columns = columns.step_by(words);
                for row in &mut block {
                    row.words_mut()[part] = *columns.next().unwrap_or(&last[place.word]);
                }
            }
            swap_all(&mut block);
            for (part, place) in places.iter().enumerate() {
                for (from, row) in block.iter().zip(&mut rows[64 * place.word..]) {
                    row.words_mut()[place.group] = from.words()[part];
                }
            }
        }
    }
}

/// A word of a group of 64 lanes.
struct Place {
    group: usize,
    word: usize,
}

/// All words of the groups that the lowest lanes take.
fn places(words: usize, lanes: usize) -> impl Iterator<Item = Place> {
    let groups = 0..lanes.div_ceil(64);
    groups.flat_map(move |group| (0..words).map(move |word| Place { group, word }))
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

/// Transposes blocks of 64 by 64 bits, one per 64 lanes.
#[inline(always)]
fn swap_all<W: Word>(block: &mut [W; 64]) {
    swap::<W, 32, 32>(block, 0x0000_0000_ffff_ffff);
    swap::<W, 16, 48>(block, 0x0000_ffff_0000_ffff);
    swap::<W, 8, 56>(block, 0x00ff_00ff_00ff_00ff);
    swap::<W, 4, 60>(block, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<W, 2, 62>(block, 0x3333_3333_3333_3333);
    swap::<W, 1, 63>(block, 0x5555_5555_5555_5555);
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
