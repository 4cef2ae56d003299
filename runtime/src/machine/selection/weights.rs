//! The weights of the leaves of a tree, a row a bit, and what they add up to.

use super::sums::{Eight, Level, add_eight};
use crate::engine::{MOST_WEIGHT, WEIGHT_BITS};
use crate::lanes::{Kernel, Word};

/// Bits of a weight.
const BITS: usize = WEIGHT_BITS as usize;

/// The bits of weights that are read together on the way down.
const PAIR: usize = 2;

const _: () = assert!(BITS.is_multiple_of(PAIR));

/// The weights of leaves in every lane. Pairs of bits stand one after another,
/// for each of them the groups of eight leaves: the order in which the way down
/// reads them.
pub(super) struct Weights<W> {
    rows: Vec<[Eight<W>; PAIR]>,
    groups: usize,
}

impl<W: Word> Weights<W> {
    /// All weights are 1.
    pub fn new(groups: usize, zero: W) -> Self {
        let ones = W::lut3::<0xff>(zero, zero, zero);
        let mut rows = vec![[[zero; 8]; PAIR]; groups * BITS / PAIR];
        for pair in &mut rows[..groups] {
            pair[0] = [ones; 8];
        }
        Self { rows, groups }
    }

    /// Gives a leaf a weight in some lanes.
    pub fn set(&mut self, leaf: usize, lanes: W, weight: u32) {
        W::run(
            Set {
                weights: self,
                leaf,
                lanes,
                weight: weight.clamp(1, MOST_WEIGHT),
            },
            lanes,
        );
    }

    #[inline(always)]
    fn bit(&self, group: usize, bit: usize) -> &Eight<W> {
        &self.rows[bit / PAIR * self.groups + group][bit % PAIR]
    }
}

struct Set<'a, W> {
    weights: &'a mut Weights<W>,
    leaf: usize,
    lanes: W,
    weight: u32,
}

impl<W: Word> Kernel for Set<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let nothing = self.lanes.xor(self.lanes);
        let groups = self.weights.groups;
        for bit in 0..BITS {
            let pair = &mut self.weights.rows[bit / PAIR * groups + self.leaf / 8];
            let row = &mut pair[bit % PAIR][self.leaf % 8];
            // Both values are at hand: no branch on the bit.
            let wanted = [nothing, self.lanes][(self.weight >> bit & 1) as usize];
            *row = row.and_not(self.lanes).or(wanted);
        }
    }
}

/// Adds up the weights of legal leaves, by groups of eight.
pub(super) struct AddLegal<'a, W> {
    /// The weights.
    pub weights: &'a Weights<W>,
    /// The legal leaves.
    pub legal: &'a [Eight<W>],
    /// What the groups add up to.
    pub sums: &'a mut Level<W>,
}

impl<W: Word> Kernel for AddLegal<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            weights,
            legal,
            sums,
        } = self;
        for (group, legal) in legal.iter().enumerate() {
            let zero = legal[0].xor(legal[0]);
            let sum = &mut sums.rows[group / 8 * sums.bits..][..sums.bits];
            let (low, high) = sum.split_at_mut(sum.len().min(BITS));
            let mut any = zero;
            for &row in legal {
                any = any.or(row);
            }
            if any.is_zero() {
                for row in low.iter_mut().chain(high) {
                    row[group % 8] = zero;
                }
                continue;
            }
            let mut carries = [zero; 7];
            for (bit, row) in low.iter_mut().enumerate() {
                let mut addends = *legal;
                for (addend, &weight) in addends.iter_mut().zip(weights.bit(group, bit)) {
                    *addend = addend.and(weight);
                }
                row[group % 8] = add_eight(addends, &mut carries);
            }
            for row in high {
                row[group % 8] = add_eight([zero; 8], &mut carries);
            }
        }
    }
}

/// For every lane, the weights of the eight leaves of the group that it is in, 0
/// for those that are not legal.
pub(super) struct GatherLegal<'a, W> {
    /// The weights.
    pub weights: &'a Weights<W>,
    /// The legal leaves.
    pub legal: &'a [Eight<W>],
    /// The lanes in each group.
    pub active: &'a [W],
    /// Takes the legal leaves of the groups in lanes that are in them.
    pub live: &'a mut Vec<(usize, Eight<W>)>,
    /// Takes the weights.
    pub values: &'a mut [Eight<W>],
}

impl<W: Word> Kernel for GatherLegal<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.live.clear();
        for (group, (&active, legal)) in self.active.iter().zip(self.legal).enumerate() {
            if !active.is_zero() {
                let mut legal = *legal;
                for row in &mut legal {
                    *row = row.and(active);
                }
                self.live.push((group, legal));
            }
        }
        let zero = self.active[0].xor(self.active[0]);
        let weights = self.weights.rows.chunks_exact(self.weights.groups);
        for (values, weights) in self.values.chunks_exact_mut(PAIR).zip(weights) {
            let mut sums = [[zero; 8]; PAIR];
            for (group, legal) in self.live.iter() {
                let weights = &weights[*group];
                for bit in 0..PAIR {
                    for place in 0..8 {
                        let (sum, weight) = (&mut sums[bit][place], weights[bit][place]);
                        *sum = W::lut3::<0b1111_1000>(*sum, legal[place], weight);
                    }
                }
            }
            values.copy_from_slice(&sums);
        }
    }
}
