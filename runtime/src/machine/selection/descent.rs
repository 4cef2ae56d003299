//! The descent from a number below a tree's total to the leaf that it falls on.
//!
//! A lane is in one node of every level, so all levels work on one number per lane:
//! the eight values below the lane's node are gathered, and the number is compared
//! with one after another and reduced by those it passes.

use super::sums::{Eight, add_eight};
use crate::lanes::{Word, kernel};

kernel! {
    /// Gathers, for every lane, the eight numbers below the node that the lane is in.
    ///
    /// `children` are the numbers by groups; `active` the lanes that are in each
    /// group's node; `values`, as many as the numbers have bits, receive the result.
    pub(super) fn gather_children<'a, W>(
        children: &'a [Eight<W>],
        active: &'a [W],
        values: &'a mut [Eight<W>],
    ) {
        let bits = values.len();
        for (bit, value) in values.iter_mut().enumerate() {
            let mut sum = [active[0].xor(active[0]); 8];
            for (group, &active) in children.chunks_exact(bits).zip(active) {
                include(&mut sum, active, &group[bit]);
            }
            *value = sum;
        }
    }
}

/// `sums | active & rows`.
#[inline(always)]
pub(super) fn include<W: Word>(sums: &mut Eight<W>, active: W, rows: &Eight<W>) {
    for (sum, &row) in sums.iter_mut().zip(rows) {
        *sum = W::lut3::<0b1111_1000>(*sum, active, row);
    }
}

kernel! {
    /// Finds on which of eight values a number below their sum falls, in some lanes,
    /// and reduces the number by the values before. Returns the lanes by the value
    /// that the number falls on.
    pub(super) fn pass_values<'a, W>(
        values: &'a [Eight<W>],
        number: &'a mut [W],
        lanes: W,
    ) -> Eight<W> {
        let zero = lanes.xor(lanes);
        let mut chosen = [zero; 8];
        let mut open = lanes;
        for place in 0..7 {
            let mut borrow = zero;
            for (bit, row) in number.iter().enumerate() {
                let value = values.get(bit).map_or(zero, |rows| rows[place]);
                // !row & value | !row & borrow | value & borrow
                borrow = W::lut3::<0b1000_1110>(*row, value, borrow);
            }
            chosen[place] = open.and(borrow);
            open = open.and_not(borrow);
            let mut borrow = zero;
            for (bit, row) in number.iter_mut().enumerate() {
                let value = values.get(bit).map_or(zero, |rows| rows[place]);
                let passed = value.and(open);
                let less = W::lut3::<0b1001_0110>(*row, passed, borrow);
                borrow = W::lut3::<0b1000_1110>(*row, passed, borrow);
                *row = less;
            }
        }
        chosen[7] = open;
        chosen
    }
}

kernel! {
    /// Adds to `before` those of eight numbers that precede the chosen one; `chosen`
    /// are the lanes by the number chosen.
    pub(super) fn add_passed<'a, W>(
        counts: &'a [Eight<W>],
        chosen: &'a Eight<W>,
        before: &'a mut [W],
    ) {
        let zero = chosen[0].xor(chosen[0]);
        // The lanes that chose a later one.
        let mut later = [zero; 8];
        for place in (0..7).rev() {
            later[place] = later[place + 1].or(chosen[place + 1]);
        }
        let mut carries = [zero; 7];
        for (bit, row) in before.iter_mut().enumerate() {
            let mut addends = counts.get(bit).copied().unwrap_or([zero; 8]);
            for (addend, &later) in addends.iter_mut().zip(&later) {
                *addend = addend.and(later);
            }
            // Only these seven precede the eighth.
            addends[7] = *row;
            *row = add_eight(addends, &mut carries);
        }
    }
}

kernel! {
    /// Computes the lanes that are in each child: those that are in its parent
    /// (`active`) and chose it (`chosen`).
    pub(super) fn split_lanes<'a, W>(
        active: &'a [W],
        chosen: &'a Eight<W>,
        children: &'a mut [Eight<W>],
    ) {
        for (&active, children) in active.iter().zip(children) {
            for (child, &chosen) in children.iter_mut().zip(chosen) {
                *child = active.and(chosen);
            }
        }
    }
}
