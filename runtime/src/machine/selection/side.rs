//! One role's moves in a choice: which are legal, and their weights.
//!
//! The weights of legal moves are added up and gathered straight from here: they
//! are most of what a tree of weights reads, so nothing is stored in between. As
//! long as they are the same in all lanes they are kept for 64 of them, and take no
//! more room than the nearest cache has.

use super::sums::{Eight, Level, add_eight, carry_on};
use crate::engine::{Role, WEIGHT_BITS};
use crate::lanes::{Kernel, Word};
use crate::layout::{Layout, Row};
use crate::program::Rows;

/// Bits of a weight.
pub(super) const BITS: usize = WEIGHT_BITS as usize;

/// The bits of weights that are gathered together: their sums fit registers.
const TOGETHER: usize = 2;

const _: () = assert!(BITS.is_multiple_of(TOGETHER), "WEIGHT_BITS is even");

/// Eight weights of 1.
const ONES: [Eight<u64>; BITS] = {
    let mut bits = [[0; 8]; BITS];
    bits[0] = [u64::MAX; 8];
    bits
};

/// The moves of a role that compete in a choice, in the legal order, as leaves of
/// its tree: by groups of eight, with moves that are never legal to fill the last
/// one.
pub(super) struct Side<W> {
    /// Whose they are.
    pub role: Role,
    /// Their numbers.
    pub moves: Vec<u32>,
    rows: Vec<Row>,
    /// Which are legal.
    pub legal: Vec<Eight<W>>,
    /// The lanes in which some are.
    pub lanes: W,
    /// All 1 until somebody weighs.
    weights: Weights<W>,
    /// For every group, the bits beyond which its weights have none.
    lengths: Vec<u8>,
}

/// The weights of a side's moves, by groups of eight leaves: their bits, lowest
/// first.
enum Weights<W> {
    /// The same in all lanes: each bit in 64 of them.
    Common(Vec<[Eight<u64>; BITS]>),
    /// Lane by lane.
    ByLane(Vec<[Eight<W>; BITS]>),
}

impl<W: Word> Side<W> {
    /// A role's moves in a choice.
    pub fn new(layout: &Layout, choice: usize, role: Role, zero: W) -> Self {
        let moves = &layout.moves[role];
        let competes = |mv: &&u32| moves[**mv as usize].choice == Some(choice as u32);
        let order: Vec<u32> = (layout.legal_order[role].iter().filter(competes))
            .copied()
            .collect();
        let rows = order.iter().map(|&mv| moves[mv as usize].legal);
        let groups = order.len().div_ceil(8);
        Self {
            role,
            rows: rows.collect(),
            legal: vec![[zero; 8]; groups],
            lengths: vec![1; groups],
            moves: order,
            lanes: zero,
            weights: Weights::Common(vec![ONES; groups]),
        }
    }

    /// Reads which moves of a group are legal, and includes them in what is legal
    /// for any side.
    #[inline(always)]
    pub fn read(&mut self, group: usize, rows: &Rows<W>, all: &mut Eight<W>) {
        let Some(legal) = self.legal.get_mut(group) else {
            return;
        };
        let mut any = self.lanes;
        for place in 0..8 {
            let row = match self.rows.get(group * 8 + place) {
                Some(&Row::Base(index)) => rows.now[index as usize],
                Some(&Row::Work(index)) => rows.work[index as usize],
                None => break,
            };
            legal[place] = row;
            all[place] = all[place].or(row);
            any = any.or(row);
        }
        self.lanes = any;
    }

    /// Gives a move, by its place, a weight in some lanes.
    pub fn weigh(&mut self, leaf: usize, lanes: &[u64], weight: u32) {
        let (group, place) = (leaf / 8, leaf % 8);
        let everywhere = lanes.iter().all(|&word| word == u64::MAX);
        if let (Weights::Common(_), false) = (&self.weights, everywhere) {
            let bits = |group| std::array::from_fn(|bit| self.weight_bits(group, bit));
            self.weights = Weights::ByLane((0..self.legal.len()).map(bits).collect());
        }
        match &mut self.weights {
            Weights::Common(groups) => {
                let bits = &mut groups[group];
                set_weight(bits, place, 0, u64::MAX, weight);
                let is_used = |bit: &usize| bits[*bit].iter().any(|&lanes| lanes != 0);
                let highest = (0..BITS).rev().find(is_used);
                self.lengths[group] = highest.map_or(0, |bit| bit as u8 + 1);
            }
            Weights::ByLane(groups) => {
                self.lengths[group] = length(weight).max(self.lengths[group]);
                for (index, &set) in lanes.iter().enumerate().filter(|(_, set)| **set != 0) {
                    set_weight(&mut groups[group], place, index, set, weight);
                }
            }
        }
    }

    /// What a move, by its place, weighs in all lanes; 1 where they differ.
    pub fn common_weight(&self, leaf: usize) -> u16 {
        match &self.weights {
            Weights::Common(groups) => {
                let bits = groups[leaf / 8].iter().zip(0..);
                bits.fold(0, |weight, (lanes, bit)| {
                    weight | ((lanes[leaf % 8] & 1) as u16) << bit
                })
            }
            Weights::ByLane(_) => 1,
        }
    }

    /// A bit of the weights of a group.
    #[inline(always)]
    fn weight_bits(&self, group: usize, bit: usize) -> Eight<W> {
        match &self.weights {
            Weights::Common(groups) => groups[group][bit].map(|lanes| self.lanes.repeat(lanes)),
            Weights::ByLane(groups) => groups[group][bit],
        }
    }

    /// Whether some move of a group is legal in some lane.
    #[inline(always)]
    fn is_live(&self, group: usize) -> bool {
        let Some(legal) = self.legal.get(group) else {
            return false;
        };
        let mut any = legal[0];
        for &row in &legal[1..] {
            any = any.or(row);
        }
        !any.is_zero()
    }
}

/// How many bits a number takes.
fn length(number: u32) -> u8 {
    (u32::BITS - number.leading_zeros()) as u8
}

/// Gives a place of a group a weight in some lanes of the word of this index. Mostly
/// it is one lane: whole rows would be read and written for one bit.
fn set_weight<W: Word>(
    group: &mut [Eight<W>; BITS],
    place: usize,
    index: usize,
    lanes: u64,
    weight: u32,
) {
    for (bit, rows) in group.iter_mut().enumerate() {
        let word = &mut rows[place].words_mut()[index];
        let wanted = 0_u64.wrapping_sub(u64::from(weight >> bit & 1)) & lanes;
        *word = *word & !lanes | wanted;
    }
}

/// Adds up the weights of legal moves, by groups of eight leaves. In a lane, one
/// side's moves are legal at most.
pub(super) struct AddWeights<'a, W> {
    /// The sides.
    pub sides: &'a [Side<W>],
    /// The number of groups.
    pub groups: usize,
    /// What the groups add up to.
    pub sums: &'a mut Level<W>,
    /// No lane.
    pub zero: W,
}

impl<W: Word> Kernel for AddWeights<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for group in 0..self.groups {
            let mut live = self.sides;
            while let Some((side, others)) = live.split_first()
                && !side.is_live(group)
            {
                live = others;
            }
            while let Some((side, others)) = live.split_last()
                && !side.is_live(group)
            {
                live = others;
            }
            match live {
                [] => self.sums.fill(group, self.zero),
                _ => add_group(live, group, self.sums, self.zero),
            }
        }
    }
}

#[inline(always)]
fn add_group<W: Word>(sides: &[Side<W>], group: usize, sums: &mut Level<W>, zero: W) {
    let mut carries = [zero; 7];
    let lengths = sides.iter().filter_map(|side| side.lengths.get(group));
    let bits = usize::from(lengths.copied().max().unwrap_or(0)).min(BITS);
    for bit in 0..bits {
        let mut addends = [zero; 8];
        for side in sides {
            if let Some(legal) = side.legal.get(group) {
                let weights = side.weight_bits(group, bit);
                for place in 0..8 {
                    let (legal, weight) = (legal[place], weights[place]);
                    addends[place] = W::lut3::<0b1111_1000>(addends[place], legal, weight);
                }
            }
        }
        sums.set(group, bit, add_eight(addends, &mut carries));
    }
    for (bit, row) in carry_on(&carries).into_iter().enumerate() {
        sums.set(group, bits + bit, row);
    }
    for bit in bits + 3..BITS + 3 {
        sums.set(group, bit, zero);
    }
}

/// For every lane, the weights of the eight leaves of the group that it is in, 0
/// for those that are not legal.
pub(super) struct GatherWeights<'a, W> {
    /// The sides.
    pub sides: &'a [Side<W>],
    /// The lanes in each group.
    pub active: &'a [W],
    /// Used on the way.
    pub live: &'a mut Vec<(usize, Eight<W>)>,
    /// Takes the weights.
    pub values: &'a mut [Eight<W>],
}

impl<W: Word> Kernel for GatherWeights<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let zero = self.active[0].xor(self.active[0]);
        self.values.fill([zero; 8]);
        for side in self.sides {
            self.live.clear();
            for (group, (legal, &active)) in side.legal.iter().zip(self.active).enumerate() {
                let active = active.and(side.lanes);
                if !active.is_zero() {
                    let mut legal = *legal;
                    for row in &mut legal {
                        *row = row.and(active);
                    }
                    self.live.push((group, legal));
                }
            }
            for (part, values) in self.values.chunks_exact_mut(TOGETHER).enumerate() {
                gather_bits(side, self.live, part * TOGETHER, values);
            }
        }
    }
}

/// Includes some bits of the weights of legal moves.
#[inline(always)]
fn gather_bits<W: Word>(
    side: &Side<W>,
    live: &[(usize, Eight<W>)],
    first: usize,
    values: &mut [Eight<W>],
) {
    let mut sums = [values[0]; TOGETHER];
    sums.copy_from_slice(values);
    let long = live
        .iter()
        .filter(|(group, _)| usize::from(side.lengths[*group]) > first);
    for (group, legal) in long {
        for (bit, sums) in (first..).zip(&mut sums) {
            let weights = side.weight_bits(*group, bit);
            for place in 0..8 {
                sums[place] = W::lut3::<0b1111_1000>(sums[place], legal[place], weights[place]);
            }
        }
    }
    values.copy_from_slice(&sums);
}
