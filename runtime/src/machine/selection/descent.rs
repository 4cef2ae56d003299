//! From a number below a tree's total down to the leaf that it falls on.
//!
//! A lane is in one node of every level, so all levels work on one number a
//! lane: the eight values below the lane's node are brought together, and the
//! number is compared with one after another and lessened by those it passes.

use super::sums::{Eight, add_eight};
use crate::lanes::{Kernel, Word};

/// For every lane, the eight numbers below the node that the lane is in.
pub(super) struct Gather<'a, W> {
    /// The numbers, by groups.
    pub children: &'a [Eight<W>],
    /// The lanes that are in each group's node.
    pub active: &'a [W],
    /// Takes the numbers: as many as they have bits.
    pub values: &'a mut [Eight<W>],
}

impl<W: Word> Kernel for Gather<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            children,
            active,
            values,
        } = self;
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

/// Which of eight values a number falls on, in some lanes: it is then what it is
/// more than those passed.
pub(super) struct Pass<'a, W> {
    /// The values; below their sum is the number.
    pub values: &'a [Eight<W>],
    /// The number.
    pub number: &'a mut [W],
    /// The lanes.
    pub lanes: W,
}

impl<W: Word> Kernel for Pass<'_, W> {
    /// The lanes by the value that the number falls on.
    type Output = Eight<W>;

    #[inline(always)]
    fn run(self) -> Eight<W> {
        let Self {
            values,
            number,
            lanes,
        } = self;
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

/// Adds those of eight numbers that stand before the chosen one.
pub(super) struct CountPassed<'a, W> {
    /// The numbers.
    pub counts: &'a [Eight<W>],
    /// The lanes by the number chosen.
    pub chosen: &'a Eight<W>,
    /// What is added to.
    pub before: &'a mut [W],
}

impl<W: Word> Kernel for CountPassed<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            counts,
            chosen,
            before,
        } = self;
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
            // Nothing stands before the eighth but these seven.
            addends[7] = *row;
            *row = add_eight(addends, &mut carries);
        }
    }
}

/// The lanes that are in each node below: in its parent, and chose it.
pub(super) struct Split<'a, W> {
    /// The lanes in each parent.
    pub active: &'a [W],
    /// The lanes by the child they chose.
    pub chosen: &'a Eight<W>,
    /// Takes the lanes in each child.
    pub children: &'a mut [Eight<W>],
}

impl<W: Word> Kernel for Split<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (&active, children) in self.active.iter().zip(self.children) {
            for (child, &chosen) in children.iter_mut().zip(self.chosen) {
                *child = active.and(chosen);
            }
        }
    }
}
