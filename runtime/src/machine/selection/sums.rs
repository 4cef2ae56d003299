//! Sums of one number per lane, eight at a time, in a tree.
//!
//! A number is one row per bit. The eight numbers of a group are stored bit by bit
//! ([`Eight`]), so the seven adders of a group run bit by bit with their carries in
//! registers, and no partial sum goes through memory.

use crate::lanes::{Word, kernel};

/// One bit of eight numbers.
pub(super) type Eight<W> = [W; 8];

/// The numbers of one level of a tree in groups of eight: for every group its bits,
/// lowest first.
pub(super) struct Level<W> {
    /// The number of bits per number.
    pub bits: usize,
    /// `bits` entries per group; numbers beyond the last are zero.
    pub rows: Vec<Eight<W>>,
}

impl<W: Word> Level<W> {
    pub fn new(nodes: usize, bits: usize, zero: W) -> Self {
        Self {
            bits,
            rows: vec![[zero; 8]; nodes.div_ceil(8) * bits],
        }
    }

    /// Sets a bit of a number, unless the number has no such bit.
    #[inline(always)]
    pub fn set(&mut self, node: usize, bit: usize, row: W) {
        if bit < self.bits {
            self.rows[node / 8 * self.bits + bit][node % 8] = row;
        }
    }

    /// Makes a number the sum of eight, given by their bits.
    #[inline(always)]
    pub fn add(&mut self, node: usize, addends: &[Eight<W>]) {
        let zero = addends[0][0].xor(addends[0][0]);
        let mut carries = [zero; 7];
        for (bit, &addends) in addends.iter().enumerate() {
            self.set(node, bit, add_eight(addends, &mut carries));
        }
        for (bit, row) in carry_on(&carries).into_iter().enumerate() {
            self.set(node, addends.len() + bit, row);
        }
    }

    /// Sets all bits of a number.
    #[inline(always)]
    pub fn fill(&mut self, node: usize, row: W) {
        for bit in 0..self.bits {
            self.set(node, bit, row);
        }
    }
}

/// The levels above `leaves` leaves, up to one with a single number: a sum has three
/// bits more than its addends, but at most `most_bits`.
pub(super) fn levels<W: Word>(
    leaves: usize,
    leaf_bits: usize,
    most_bits: usize,
    zero: W,
) -> Vec<Level<W>> {
    let (mut nodes, mut bits) = (leaves, leaf_bits);
    let mut levels = Vec::new();
    while levels.is_empty() || nodes > 1 {
        nodes = nodes.div_ceil(8);
        bits = (bits + 3).min(most_bits);
        levels.push(Level::new(nodes, bits, zero));
    }
    levels
}

kernel! {
    /// Adds up numbers by groups of eight; `sums` receives the sums of the groups, in
    /// order.
    pub(super) fn add_up<'a, W>(addends: &'a Level<W>, sums: &'a mut Level<W>) {
        for (node, group) in addends.rows.chunks_exact(addends.bits).enumerate() {
            sums.add(node, group);
        }
    }
}

/// The last three bits of the sum of eight numbers that have no more bits.
#[inline(always)]
pub(super) fn carry_on<W: Word>(carries: &[W; 7]) -> [W; 3] {
    let [c0, c1, c2, c3, mut c4, mut c5, mut c6] = *carries;
    let first = add(add(c0, c1, &mut c4), add(c2, c3, &mut c5), &mut c6);
    let second = add(c4, c5, &mut c6);
    [first, second, c6]
}

/// The next bit of the sum of eight numbers, given their next bits.
#[inline(always)]
pub(super) fn add_eight<W: Word>(bits: Eight<W>, carries: &mut [W; 7]) -> W {
    let [c0, c1, c2, c3, c4, c5, c6] = carries;
    let first = add(add(bits[0], bits[1], c0), add(bits[2], bits[3], c1), c4);
    let second = add(add(bits[4], bits[5], c2), add(bits[6], bits[7], c3), c5);
    add(first, second, c6)
}

/// The next bit of a sum of two numbers.
#[inline(always)]
fn add<W: Word>(a: W, b: W, carry: &mut W) -> W {
    let sum = W::lut3::<0b1001_0110>(a, b, *carry);
    *carry = W::lut3::<0b1110_1000>(a, b, *carry);
    sum
}
