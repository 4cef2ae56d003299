//! Transposed rows hold the same bits, at every width.
#![allow(unsafe_code)]

use gdl_runtime::lanes::Word;
use gdl_runtime::random::SplitMix;
use gdl_runtime::transpose::{transpose_numbers, transpose_rows};

fn rows_are_transposed<W: Word>(seed: u64) {
    let mut numbers = SplitMix::new(seed);
    // SAFETY: the macro asked whether the width is available.
    let zero = unsafe { W::splat(false) };
    for count in [1, 3, 16, 17, 32, 63, 64, 65, 200] {
        let mut rows = vec![zero; count];
        for row in &mut rows {
            for word in row.words_mut() {
                *word = numbers.next_u64();
            }
        }
        let mut table = vec![7; 3];
        transpose_rows(&rows, &mut table);
        let stride = count.div_ceil(64);
        assert_eq!(table.len(), stride * W::LANES);
        for (index, word) in table.iter().enumerate() {
            let (lane, first) = (index / stride, index % stride * 64);
            for bit in 0..64 {
                let expected = rows.get(first + bit).is_some_and(|row| row.lane(lane));
                assert_eq!(word >> bit & 1 != 0, expected, "{count} rows, lane {lane}");
            }
        }
        if count <= 32 {
            let mut found = vec![9; W::LANES];
            transpose_numbers(&rows, &mut found);
            for (lane, &number) in found.iter().enumerate() {
                assert_eq!(
                    u64::from(number),
                    table[lane * stride],
                    "{count} rows, lane {lane}"
                );
            }
        }
    }
}

#[test]
fn transposed_rows_hold_the_same_bits() {
    at_every_width!(rows_are_transposed);
}
