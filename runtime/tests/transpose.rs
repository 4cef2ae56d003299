//! Transposed rows hold the same bits, at every width.
#![allow(unsafe_code)]

use gdl_runtime::lanes::Word;
use gdl_runtime::random::SplitMix;
use gdl_runtime::transpose::{transpose_numbers, transpose_rows, transpose_table};

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
        for lanes in [1, 30, 64, 65, W::LANES - 1, W::LANES] {
            if lanes <= W::LANES {
                few_lanes_are_transposed(&rows, lanes);
            }
        }
        transpose_rows(&rows, W::LANES, &mut table);
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

/// The lowest lanes are as if all were transposed, and back again; the others get the
/// bits of the last one of them.
fn few_lanes_are_transposed<W: Word>(rows: &[W], lanes: usize) {
    let (mut all, mut table) = (Vec::new(), vec![7; 3]);
    transpose_rows(rows, W::LANES, &mut all);
    transpose_rows(rows, lanes, &mut table);
    let stride = rows.len().div_ceil(64);
    assert_eq!(table, all[..lanes * stride], "{lanes} lanes");
    let mut back = rows.to_vec();
    back.reverse();
    transpose_table(&table, &mut back);
    for (row, (found, expected)) in back.iter().zip(rows).enumerate() {
        for lane in 0..W::LANES {
            let expected = expected.lane(lane.min(lanes - 1));
            assert_eq!(found.lane(lane), expected, "row {row}, {lanes} lanes");
        }
    }
}

#[test]
fn transposed_rows_hold_the_same_bits() {
    with_every_word!(rows_are_transposed);
}
