//! Rows of bits, written as bytes of one or of eight bits.

use gdl_runtime::bit_rows::spread_rows;

/// How the bits of a row are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaskRow {
    /// The number of bits.
    pub bits: usize,
    /// Whether a byte holds eight of them, the lowest first, instead of one.
    pub packed: bool,
}

impl MaskRow {
    /// The number of bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        if self.packed {
            self.bits.div_ceil(8)
        } else {
            self.bits
        }
    }

    /// The number of 64-bit words of such a row in a table.
    pub(crate) const fn words(self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Writes the rows of a table one after another.
    pub(crate) fn write(self, table: &[u64], out: &mut [u8]) {
        if self.bits == 0 {
            return;
        }
        let (words, bytes) = (self.words(), self.bytes());
        if !self.packed {
            spread_rows(table, self.bits, out);
        } else if bytes == 1 {
            let rows = table.chunks_exact(words);
            out.iter_mut()
                .zip(rows)
                .for_each(|(out, row)| *out = row[0] as u8);
        } else if bytes == 8 * words {
            let words = out.chunks_exact_mut(8).zip(table);
            words.for_each(|(out, word)| out.copy_from_slice(&word.to_le_bytes()));
        } else {
            for (index, row) in table.chunks_exact(words).enumerate() {
                let Some(out) = out.get_mut(index * bytes..) else {
                    return;
                };
                write_packed(row, bytes, out);
            }
        }
    }
}

/// Writes a row at the start of `out`. The last word is written whole where there is room: the
/// excess belongs to the next row, which is written later.
fn write_packed(row: &[u64], bytes: usize, out: &mut [u8]) {
    for (word, at) in row.iter().zip((0..bytes).step_by(8)) {
        let (out, needed) = (&mut out[at..], bytes - at);
        match out.first_chunk_mut::<8>() {
            Some(out) => *out = word.to_le_bytes(),
            None => out[..needed].copy_from_slice(&word.to_le_bytes()[..needed]),
        }
    }
}

/// Whether a bit is set; false beyond the end.
#[inline]
pub(crate) fn is_set(words: &[u64], index: u32) -> bool {
    let word = words.get(index as usize / 64);
    word.is_some_and(|word| word >> (index % 64) & 1 != 0)
}

/// The number of bits set below an index. It takes no branches: indices are random.
#[inline]
pub(crate) fn count_below(words: &[u64], index: u32) -> u32 {
    let counts = (0..).step_by(64).zip(words).map(|(first, word)| {
        let below = 1_u64.checked_shl(index.saturating_sub(first));
        (word & below.unwrap_or(0).wrapping_sub(1)).count_ones()
    });
    counts.sum()
}

/// Sets the lowest bits of a row, and clears the others.
pub(crate) fn set_lowest(words: &mut [u64], bits: usize) {
    for (index, word) in words.iter_mut().enumerate() {
        *word = match bits.saturating_sub(64 * index) {
            64.. => u64::MAX,
            left => (1 << left) - 1,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_written_as_bytes_and_packed() {
        for bits in [1, 5, 8, 9, 63, 64, 65, 72, 130] {
            let words = usize::div_ceil(bits, 64);
            let table: Vec<u64> = (0..3 * words as u64)
                .map(|index| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(index + 1))
                .collect();
            for packed in [false, true] {
                let row = MaskRow { bits, packed };
                let mut out = vec![9; 3 * row.bytes()];
                row.write(&table, &mut out);
                for index in 0..3 * bits {
                    let (line, bit) = (index / bits, index % bits);
                    let expected = is_set(&table[line * words..][..words], bit as u32);
                    let found = match packed {
                        true => out[line * row.bytes() + bit / 8] >> (bit % 8) & 1,
                        false => out[index],
                    };
                    assert_eq!(found, u8::from(expected), "{row:?}, row {line}, bit {bit}");
                }
            }
        }
    }

    #[test]
    fn bits_are_counted_below_an_index() {
        let words = [0b1011, u64::MAX];
        assert_eq!(
            [0, 1, 2, 3, 4, 64, 66].map(|at| count_below(&words, at)),
            [0, 1, 2, 2, 3, 3, 5]
        );
        assert!(!is_set(&words, 128));
        let mut row = [7; 3];
        set_lowest(&mut row, 65);
        assert_eq!(row, [u64::MAX, 1, 0]);
    }
}
