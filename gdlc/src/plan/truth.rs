//! Truth tables of three inputs: bit `4a + 2b + c` is the result for inputs a, b, c.

use super::{Op, PlanValue};

/// The truth table whose result is the same if one input is negated.
pub(super) fn invert_input(truth: u8, position: usize) -> u8 {
    let flipped = 4 >> position;
    (0..8).fold(0, |all, row| all | (truth >> (row ^ flipped) & 1) << row)
}

/// The same operation with its arguments permuted such that the truth table is the
/// smallest number: fewer distinct tables make longer runs of equal ones.
pub(super) fn canonical(truth: u8, args: [PlanValue; 3]) -> Op {
    const PERMUTATIONS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let reorder = |order: [usize; 3]| Op {
        truth: permute(truth, order),
        args: order.map(|source| args[source]),
    };
    let best = PERMUTATIONS
        .into_iter()
        .map(reorder)
        .min_by_key(|op| op.truth);
    best.unwrap_or(Op { truth, args })
}

/// The truth table for permuted arguments: `order` maps every new position to the
/// old one.
pub(crate) fn permute(truth: u8, order: [usize; 3]) -> u8 {
    (0..8).fold(0, |permuted, row| {
        let positions = order.iter().enumerate();
        let original = positions.fold(0, |original, (position, &source)| {
            original | (row >> (2 - position) & 1) << (2 - source)
        });
        permuted | (truth >> original & 1) << row
    })
}
