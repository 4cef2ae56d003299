//! Actions are drawn uniformly.

use gdl_environments::{MaskRow, sample_actions};
use gdl_testing::chi_square::assert_uniform;

#[test]
fn legal_actions_are_equally_likely() {
    let seed = gdl_testing::seed_or(1);
    for bits in [1, 7, 8, 20, 64, 65, 200] {
        for packed in [false, true] {
            let row = MaskRow { bits, packed };
            let legal: Vec<usize> = (0..bits).filter(|bit| bit % 3 != 1).collect();
            let mut mask = vec![0; row.bytes()];
            for &bit in &legal {
                match packed {
                    true => mask[bit / 8] |= 1 << (bit % 8),
                    false => mask[bit] = 1,
                }
            }
            let draws = 100 * legal.len();
            let mut actions = vec![-1; draws];
            sample_actions(&mask.repeat(draws), row, seed, &mut actions);
            let counts: Vec<u64> = (0..bits as i32)
                .map(|action| actions.iter().filter(|&&drawn| drawn == action).count() as u64)
                .collect();
            let among_legal: Vec<u64> = legal.iter().map(|&bit| counts[bit]).collect();
            assert_eq!(
                among_legal.iter().sum::<u64>(),
                draws as u64,
                "{row:?}: all are legal"
            );
            if legal.len() > 1 {
                assert_uniform(&among_legal, &format!("{row:?}"));
            }
        }
    }
}

#[test]
fn a_mask_that_allows_nothing_gives_the_first_action() {
    for row in [
        MaskRow {
            bits: 70,
            packed: true,
        },
        MaskRow {
            bits: 7,
            packed: true,
        },
        MaskRow {
            bits: 7,
            packed: false,
        },
    ] {
        let mut actions = [5];
        sample_actions(&vec![0; row.bytes()], row, 1, &mut actions);
        assert_eq!(actions, [0], "{row:?}");
    }
}
