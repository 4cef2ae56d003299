//! Sums of numbers a lane, eight at a time, in a tree.
//!
//! A number is a row a bit. Eight numbers that are added stand side by side
//! ([`Eight`], one for each of their bits), so that the seven adders of a group
//! run bit by bit with their carries in registers, and what a group adds up to
//! never waits in memory for its neighbour.

use crate::lanes::{Kernel, Word};

/// One bit of eight numbers.
pub(super) type Eight<W> = [W; 8];

/// The numbers of one level of a tree, in groups of eight: the bits of a group,
/// lowest first, stand one after another.
pub(super) struct Level<W> {
    /// How many bits a number has.
    pub bits: usize,
    /// `bits` for each group; numbers beyond the last are zero.
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

/// The levels above `leaves` leaves, up to one of a single number: a number has
/// three bits more than those that it is the sum of, but at most `most_bits`.
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

/// Adds up numbers by groups of eight.
pub(super) struct AddUp<'a, W> {
    /// The numbers.
    pub addends: &'a Level<W>,
    /// What the groups add up to, in order.
    pub sums: &'a mut Level<W>,
}

impl<W: Word> Kernel for AddUp<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (node, group) in self
            .addends
            .rows
            .chunks_exact(self.addends.bits)
            .enumerate()
        {
            self.sums.add(node, group);
        }
    }
}

/// The last three bits of the sum of eight numbers, which have none left.
#[inline(always)]
pub(super) fn carry_on<W: Word>(carries: &[W; 7]) -> [W; 3] {
    let [c0, c1, c2, c3, mut c4, mut c5, mut c6] = *carries;
    let first = add(add(c0, c1, &mut c4), add(c2, c3, &mut c5), &mut c6);
    let second = add(c4, c5, &mut c6);
    [first, second, c6]
}

/// The next bit of the sum of eight numbers whose next bits these are.
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
