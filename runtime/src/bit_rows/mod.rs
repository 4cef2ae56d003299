//! Rows of bits, row after row in 64-bit words: written as bytes and read from them, drawn
//! from and ranked. The loops use the instructions that the processor has for this.

#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod instructions;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_instructions.rs"]
mod instructions;

use crate::random::SplitMix;

/// Writes the first `bits` bits of every row as bytes that are 0 or 1, row after row.
///
/// # Panics
/// If `out` and the table differ in their number of rows.
pub fn spread_rows(table: &[u64], bits: usize, out: &mut [u8]) {
    let words = bits.div_ceil(64);
    if words == 0 {
        return;
    }
    assert_eq!(table.len() * bits, out.len() * words, "a row for every row");
    if !instructions::spread_rows(table, bits, out) {
        let rows = table.chunks_exact(words).zip(out.chunks_exact_mut(bits));
        for (row, out) in rows {
            for (word, out) in row.iter().zip(out.chunks_mut(64)) {
                spread_word(*word, out);
            }
        }
    }
}

/// The reverse of [`spread_rows`]: replaces `table` by rows of `bits` bits, set where the bytes
/// are non-zero.
pub fn gather_rows(bytes: &[u8], bits: usize, table: &mut Vec<u64>) {
    table.clear();
    if bits > 0 && !instructions::gather_rows(bytes, bits, table) {
        for row in bytes.chunks_exact(bits) {
            table.extend(row.chunks(64).map(gather_word));
        }
    }
}

/// Draws, for every row of `words` words, the index of one of its set bits, uniformly; 0 where
/// no bit is set. The same `numbers` give the same indices.
///
/// # Panics
/// If there are not as many rows as indices.
pub fn draw_rows(table: &[u64], words: usize, numbers: &mut SplitMix, indices: &mut [i32]) {
    assert_eq!(table.len(), words * indices.len(), "a row for every index");
    if words == 0 {
        indices.fill(0);
    } else if !instructions::draw_rows(table, words, numbers, indices) {
        draw_rows_by(table, words, numbers, indices, place);
    }
}

/// Writes, for every row of `words` words, how many bits are set below an index; returns
/// whether the bit at the index is set in all rows. Where it is not, the number is meaningless.
///
/// # Panics
/// If there are not as many rows as indices and ranks.
pub fn rank_rows(table: &[u64], words: usize, indices: &[i32], ranks: &mut [u64]) -> bool {
    let rows = indices.len();
    assert_eq!(
        (table.len(), ranks.len()),
        (words * rows, rows),
        "a row each"
    );
    if words == 0 {
        return rows == 0;
    }
    let all = instructions::rank_rows(table, words, indices, ranks);
    all.unwrap_or_else(|| rank_rows_here(table, words, indices, ranks))
}

/// Writes bits as bytes, as many as there is room for.
#[inline(always)]
fn spread_word(word: u64, out: &mut [u8]) {
    for (bytes, part) in out.chunks_mut(8).zip(word.to_le_bytes()) {
        let spread = SPREAD[part as usize];
        match bytes.first_chunk_mut::<8>() {
            Some(bytes) => *bytes = spread,
            None => bytes.copy_from_slice(&spread[..bytes.len()]),
        }
    }
}

/// The bits of every byte as bytes.
static SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// Which of up to 64 bytes are other than 0.
fn gather_word(bytes: &[u8]) -> u64 {
    let parts = bytes.chunks(8).enumerate();
    parts.fold(0, |word, (part, bytes)| {
        word | u64::from(gather_byte(bytes)) << (8 * part)
    })
}

/// Which of up to eight bytes are other than 0.
fn gather_byte(bytes: &[u8]) -> u8 {
    let Some(&all) = bytes.first_chunk::<8>() else {
        let bits = bytes.iter().rev();
        return bits.fold(0, |packed, &byte| packed << 1 | u8::from(byte != 0));
    };
    let all = u64::from_le_bytes(all);
    // The highest bit of each byte that is not 0.
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let set = (((all & LOW) + LOW) | all) & !LOW;
    ((set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// As [`draw_rows`], given how to find the set bit of a word with a given number of set bits
/// below it.
#[inline(always)]
fn draw_rows_by(
    table: &[u64],
    words: usize,
    numbers: &mut SplitMix,
    indices: &mut [i32],
    place: impl Fn(u64, u32) -> u32,
) {
    if words == 1 {
        for (index, &row) in indices.iter_mut().zip(table) {
            let rank = below(numbers, row.count_ones());
            *index = if row == 0 { 0 } else { place(row, rank) as i32 };
        }
        return;
    }
    for (index, row) in indices.iter_mut().zip(table.chunks_exact(words)) {
        let count: u32 = row.iter().map(|word| word.count_ones()).sum();
        let mut rank = below(numbers, count);
        *index = 0;
        for (first, &word) in (0..).step_by(64).zip(row) {
            let here = word.count_ones();
            if rank < here {
                *index = first + place(word, rank) as i32;
                break;
            }
            rank -= here;
        }
    }
}

/// A number below a bound, 0 if that is 0 (Lemire, "Fast Random Integer Generation in an
/// Interval", 2019).
#[inline(always)]
fn below(numbers: &mut SplitMix, bound: u32) -> u32 {
    loop {
        let product = (numbers.next_u64() >> 32) * u64::from(bound);
        // Rejects the products that would favour some numbers.
        let low = product as u32;
        if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
            return (product >> 32) as u32;
        }
    }
}

/// The index of the bit that is set and has this many set bits below it (Vigna, "Broadword
/// Implementation of Rank/Select Queries", 2008, section 3); 64 if there is none.
fn place(word: u64, rank: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    // In every byte the number of bits set in it and in the bytes below.
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let passed = (u64::from(rank).wrapping_mul(ONES) | TOPS).wrapping_sub(sums) & TOPS;
    let shift = 8 * ((passed >> 7).wrapping_mul(ONES) >> 56) as u32;
    if shift > 56 {
        return 64;
    }
    let before = ((sums << 8) >> shift) as u32 & 0xff;
    let mut byte = (word >> shift) as u32 & 0xff;
    for _ in before..rank {
        byte &= byte.wrapping_sub(1);
    }
    shift + byte.trailing_zeros()
}

/// As [`rank_rows`].
#[inline(always)]
fn rank_rows_here(table: &[u64], words: usize, indices: &[i32], ranks: &mut [u64]) -> bool {
    let mut all = true;
    if words == 1 {
        for ((rank, &row), &index) in ranks.iter_mut().zip(table).zip(indices) {
            let bit = 1_u64 << (index & 63);
            all &= row & bit != 0 && (0..64).contains(&index);
            *rank = (row & (bit - 1)).count_ones().into();
        }
        return all;
    }
    for ((rank, row), &index) in ranks.iter_mut().zip(table.chunks_exact(words)).zip(indices) {
        let at = index as u32 as usize;
        let word = row.get(at / 64).copied().unwrap_or(0);
        let bit = 1_u64 << (at % 64);
        all &= word & bit != 0;
        let before = row.iter().take(at / 64).map(|word| word.count_ones());
        *rank = (before.sum::<u32>() + (word & (bit - 1)).count_ones()).into();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of random words of all densities.
    fn table(rows: usize, bits: usize) -> Vec<u64> {
        let words = bits.div_ceil(64);
        let mut numbers = SplitMix::new(bits as u64);
        let mut next = |row: usize| match row % 4 {
            0 => numbers.next_u64(),
            1 => numbers.next_u64() & numbers.next_u64() & numbers.next_u64(),
            2 => 0,
            _ => u64::MAX,
        };
        let mut table = Vec::new();
        for row in 0..rows {
            for word in 0..words {
                let left = bits - 64 * word;
                let mask = if left < 64 { (1 << left) - 1 } else { u64::MAX };
                table.push(next(row) & mask);
            }
        }
        table
    }

    fn is_set(row: &[u64], bit: usize) -> bool {
        row[bit / 64] >> (bit % 64) & 1 != 0
    }

    #[test]
    fn bits_become_bytes_and_bits_again() {
        for bits in [1, 5, 8, 9, 63, 64, 65, 127, 128, 130, 200] {
            let table = table(9, bits);
            let words = bits.div_ceil(64);
            let mut out = vec![9; 9 * bits];
            spread_rows(&table, bits, &mut out);
            for (row, out) in table.chunks(words).zip(out.chunks(bits)) {
                for (bit, &byte) in out.iter().enumerate() {
                    assert_eq!(byte, u8::from(is_set(row, bit)), "{bits} bits, bit {bit}");
                }
            }
            out.iter_mut().step_by(3).for_each(|byte| *byte *= 200);
            let mut gathered = vec![1];
            gather_rows(&out, bits, &mut gathered);
            assert_eq!(gathered, table, "{bits} bits");
        }
    }

    #[test]
    fn drawn_bits_are_set_and_ranked() {
        for bits in [1, 7, 8, 64, 65, 155, 300] {
            let table = table(40, bits);
            let words = bits.div_ceil(64);
            let mut indices = vec![-1; 40];
            draw_rows(&table, words, &mut SplitMix::new(7), &mut indices);
            let mut portable = vec![-1; 40];
            draw_rows_by(&table, words, &mut SplitMix::new(7), &mut portable, place);
            assert_eq!(indices, portable, "{bits} bits");
            let mut ranks = vec![0; 40];
            let all = rank_rows(&table, words, &indices, &mut ranks);
            let rows = || table.chunks(words).zip(indices.iter().zip(&ranks));
            assert_eq!(
                all,
                rows().all(|(row, (&index, _))| is_set(row, index as usize))
            );
            for (row, (&index, &rank)) in rows() {
                let has_any = row.iter().any(|&word| word != 0);
                assert_eq!(is_set(row, index as usize), has_any, "{bits} bits");
                let below = (0..index as usize).filter(|&bit| is_set(row, bit));
                assert_eq!(below.count() as u64, rank, "{bits} bits");
            }
            for wrong in [-1, i32::MIN, 64 * words as i32] {
                assert!(!rank_rows(
                    &vec![u64::MAX; words],
                    words,
                    &[wrong],
                    &mut [0]
                ));
            }
        }
    }

    #[test]
    fn all_bits_of_a_row_are_drawn_alike() {
        let row = 0b1001_0110_u64 | 1 << 63;
        let table = vec![row; 5000];
        let mut indices = vec![0; 5000];
        draw_rows(&table, 1, &mut SplitMix::new(3), &mut indices);
        for bit in [1, 2, 4, 7, 63] {
            let count = indices.iter().filter(|&&index| index == bit).count();
            // Five standard deviations.
            assert!(count.abs_diff(1000) < 142, "bit {bit}: {count}");
        }
    }

    #[test]
    fn places_of_words() {
        for word in [1, 0x8000_0000_0000_0000, u64::MAX, 0xf0f0_0000_1234_0001] {
            let mut left = word;
            for rank in 0..word.count_ones() {
                assert_eq!(place(word, rank), left.trailing_zeros(), "{word:x}, {rank}");
                left &= left - 1;
            }
        }
    }
}
