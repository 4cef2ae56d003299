//! The candidates of a role in a choice: which are legal, and their weights.
//!
//! The weights of legal moves are added up and gathered directly from here: they are
//! most of what a tree of weights reads, so nothing is stored in between. While they
//! are the same in all lanes they are stored for 64 lanes only, which fits the
//! nearest cache.

use super::sums::{Eight, Level, add_eight, carry_on};
use crate::engine::{Role, WEIGHT_BITS};
use crate::lanes::{Word, kernel};
use crate::layout::{Layout, Row};
use crate::program::Rows;

/// The number of bits of a weight.
pub(super) const BITS: usize = WEIGHT_BITS as usize;

/// The number of weight bits gathered together: their sums fit registers.
const TOGETHER: usize = 2;

const _: () = assert!(BITS.is_multiple_of(TOGETHER), "WEIGHT_BITS is even");

/// Eight weights of 1.
const ONES: [Eight<u64>; BITS] = {
    let mut bits = [[0; 8]; BITS];
    bits[0] = [u64::MAX; 8];
    bits
};

/// The moves of a role that compete in a choice, in the legal order, as leaves of its
/// tree: in groups of eight, the last one padded with moves that are never legal.
pub(super) struct Candidates<W> {
    /// The role.
    pub role: Role,
    /// The numbers of its moves.
    pub moves: Vec<u32>,
    rows: Vec<Row>,
    /// Which are legal.
    pub legal: Vec<Eight<W>>,
    /// The lanes in which at least one is legal.
    pub lanes: W,
    /// All 1 at first.
    weights: CandidateWeights<W>,
    /// For every group, the number of bits of its largest weight, or more.
    lengths: Vec<u8>,
}

/// The weights of a role's candidates by groups of eight leaves: their bits, lowest
/// first.
enum CandidateWeights<W> {
    /// The same in all lanes: each bit for 64 of them.
    Common(Vec<[Eight<u64>; BITS]>),
    /// Lane by lane.
    ByLane(Vec<[Eight<W>; BITS]>),
}

impl<W: Word> Candidates<W> {
    /// The candidates of a role in a choice.
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
            weights: CandidateWeights::Common(vec![ONES; groups]),
        }
    }

    /// Reads which moves of a group are legal, and adds them to `all`, which is legal
    /// for any role.
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

    /// Gives the move of a leaf a weight in some lanes.
    pub fn weigh(&mut self, leaf: usize, lanes: &[u64], weight: u32) {
        let (group, place) = (leaf / 8, leaf % 8);
        let everywhere = lanes.iter().all(|&word| word == u64::MAX);
        if let (CandidateWeights::Common(_), false) = (&self.weights, everywhere) {
            let bits = |group| std::array::from_fn(|bit| self.weight_bits(group, bit));
            self.weights = CandidateWeights::ByLane((0..self.legal.len()).map(bits).collect());
        }
        match &mut self.weights {
            CandidateWeights::Common(groups) => {
                let bits = &mut groups[group];
                set_weight(bits, place, 0, u64::MAX, weight);
                let is_used = |bit: &usize| bits[*bit].iter().any(|&lanes| lanes != 0);
                let highest = (0..BITS).rev().find(is_used);
                self.lengths[group] = highest.map_or(0, |bit| bit as u8 + 1);
            }
            CandidateWeights::ByLane(groups) => {
                self.lengths[group] = length(weight).max(self.lengths[group]);
                for (index, &set) in lanes.iter().enumerate().filter(|(_, set)| **set != 0) {
                    set_weight(&mut groups[group], place, index, set, weight);
                }
            }
        }
    }

    /// The weight of the move of a leaf in all lanes; 1 if they differ.
    pub fn common_weight(&self, leaf: usize) -> u16 {
        match &self.weights {
            CandidateWeights::Common(groups) => {
                let bits = groups[leaf / 8].iter().zip(0..);
                bits.fold(0, |weight, (lanes, bit)| {
                    weight | ((lanes[leaf % 8] & 1) as u16) << bit
                })
            }
            CandidateWeights::ByLane(_) => 1,
        }
    }

    /// A bit of the weights of a group.
    #[inline(always)]
    fn weight_bits(&self, group: usize, bit: usize) -> Eight<W> {
        match &self.weights {
            CandidateWeights::Common(groups) => {
                groups[group][bit].map(|lanes| self.lanes.repeat(lanes))
            }
            CandidateWeights::ByLane(groups) => groups[group][bit],
        }
    }

    /// Whether a move of a group is legal in any lane.
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

/// The number of bits of a number.
fn length(number: u32) -> u8 {
    (u32::BITS - number.leading_zeros()) as u8
}

/// Gives a leaf of a group a weight in some lanes of one 64-bit word, by index: mostly
/// it is one lane, for whose bit a whole row would be read and written.
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

kernel! {
    /// Adds up the weights of legal moves by groups of eight leaves; `sums` receives
    /// the sums of the groups. In a lane, at most one role's moves are legal.
    pub(super) fn add_weights<'a, W>(
        roles: &'a [Candidates<W>],
        groups: usize,
        sums: &'a mut Level<W>,
        zero: W,
    ) {
        for group in 0..groups {
            let mut live = roles;
            while let Some((candidates, others)) = live.split_first()
                && !candidates.is_live(group)
            {
                live = others;
            }
            while let Some((candidates, others)) = live.split_last()
                && !candidates.is_live(group)
            {
                live = others;
            }
            match live {
                [] => sums.fill(group, zero),
                _ => add_group(live, group, sums, zero),
            }
        }
    }
}

#[inline(always)]
fn add_group<W: Word>(roles: &[Candidates<W>], group: usize, sums: &mut Level<W>, zero: W) {
    let mut carries = [zero; 7];
    let lengths = (roles.iter()).filter_map(|candidates| candidates.lengths.get(group));
    let bits = usize::from(lengths.copied().max().unwrap_or(0)).min(BITS);
    for bit in 0..bits {
        let mut addends = [zero; 8];
        for candidates in roles {
            if let Some(legal) = candidates.legal.get(group) {
                let weights = candidates.weight_bits(group, bit);
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

kernel! {
    /// Gathers, for every lane, the weights of the eight leaves of the group that it
    /// is in (`active` are the lanes in each group), 0 for those that are not legal.
    /// `live` is scratch space; `values` receive the weights.
    pub(super) fn gather_weights<'a, W>(
        roles: &'a [Candidates<W>],
        active: &'a [W],
        live: &'a mut Vec<(usize, Eight<W>)>,
        values: &'a mut [Eight<W>],
    ) {
        let zero = active[0].xor(active[0]);
        values.fill([zero; 8]);
        for candidates in roles {
            live.clear();
            for (group, (legal, &active)) in candidates.legal.iter().zip(active).enumerate() {
                let active = active.and(candidates.lanes);
                if !active.is_zero() {
                    let mut legal = *legal;
                    for row in &mut legal {
                        *row = row.and(active);
                    }
                    live.push((group, legal));
                }
            }
            for (part, values) in values.chunks_exact_mut(TOGETHER).enumerate() {
                gather_bits(candidates, live, part * TOGETHER, values);
            }
        }
    }
}

/// Includes some bits of the weights of legal moves.
#[inline(always)]
fn gather_bits<W: Word>(
    candidates: &Candidates<W>,
    live: &[(usize, Eight<W>)],
    first: usize,
    values: &mut [Eight<W>],
) {
    let mut sums = [values[0]; TOGETHER];
    sums.copy_from_slice(values);
    let long = live
        .iter()
        .filter(|(group, _)| usize::from(candidates.lengths[*group]) > first);
    for (group, legal) in long {
        for (bit, sums) in (first..).zip(&mut sums) {
            let weights = candidates.weight_bits(*group, bit);
            for place in 0..8 {
                sums[place] = W::lut3::<0b1111_1000>(sums[place], legal[place], weights[place]);
            }
        }
    }
    values.copy_from_slice(&sums);
}
