//! One choice of the layout as a tree over the moves that compete in it.
//!
//! Its leaves are positions in the legal order: the first moves of all roles that
//! have the choice share a leaf, and so on, since in a lane only one role's moves are
//! legal. Hence the number of legal leaves before a leaf is the rank of its move. A
//! node has eight children, which bounds the number of levels and keeps the lowest
//! level, which has nearly all rows, in registers.

use super::candidates::{BITS, Candidates, add_weights, gather_weights};
use super::descent::{add_passed, gather_children, pass_values, split_lanes};
use super::lists::{self, Lists};
use super::sums::{Eight, Level, add_up, levels};
use crate::draw::{MOST_BITS, draw_ranks};
use crate::engine::MOST_WEIGHT;
use crate::lanes::Word;
use crate::layout::Layout;
use crate::program::Rows;
use crate::random::Random;

/// The tree of a choice; see the module documentation.
pub(super) struct CandidateTree<W> {
    /// The candidates of every role that has the choice.
    pub roles: Vec<Candidates<W>>,
    /// The leaves that are legal for any role; the position after the last leaf stands
    /// for none.
    legal: Vec<Eight<W>>,
    /// The numbers of legal leaves, level by level upwards.
    counts: Vec<Level<W>>,
    count_bits: usize,
    /// The sums of the weights of legal leaves, level by level upwards; empty until a
    /// weight is given.
    sums: Vec<Level<W>>,
    /// Weights that differ from lane to lane, if there are many leaves.
    lists: Option<Lists<W>>,
    /// Lanes that have a choice.
    lanes: W,
    /// The lanes that are in each node during a descent, level by level upwards.
    active: Vec<Vec<Eight<W>>>,
    scratch: DescentScratch<W>,
}

struct DescentScratch<W> {
    number: Vec<W>,
    weights: Vec<Eight<W>>,
    counts: Vec<Eight<W>>,
    live: Vec<(usize, Eight<W>)>,
}

impl<W: Word> CandidateTree<W> {
    /// The tree of a choice.
    pub fn new(layout: &Layout, choice: usize, zero: W) -> Self {
        let roles = (0..layout.roles.len()).map(|role| Candidates::new(layout, choice, role, zero));
        let roles: Vec<_> = roles.filter(|role| !role.moves.is_empty()).collect();
        let leaves = roles.iter().map(|role| role.moves.len());
        let places = leaves.max().unwrap_or(0) + 1;
        let count_bits = layout.choices[choice].count_bits.max(1) as usize;
        let counts = levels(places, 1, count_bits, zero);
        let nodes = |level: &Level<W>| vec![[zero; 8]; level.rows.len() / level.bits];
        Self {
            legal: vec![[zero; 8]; places.div_ceil(8)],
            sums: Vec::new(),
            lists: None,
            lanes: zero,
            active: counts.iter().map(nodes).collect(),
            scratch: DescentScratch {
                number: vec![zero; MOST_BITS],
                weights: vec![[zero; 8]; MOST_BITS],
                counts: vec![[zero; 8]; MOST_BITS],
                live: Vec::new(),
            },
            roles,
            counts,
            count_bits,
        }
    }

    /// The number of leaves that leaf numbers can address.
    pub fn leaf_capacity(&self) -> usize {
        8_usize.pow(self.counts.len() as u32)
    }

    /// Allocates weights, all 1, unless their sums could have more bits than
    /// [`draw_ranks`] takes.
    pub fn allow_weights(&mut self, zero: W) {
        let most_bits = BITS + self.count_bits;
        if self.sums.is_empty() && most_bits <= MOST_BITS {
            self.sums = levels(self.legal.len() * 8, BITS, most_bits, zero);
        }
    }

    /// Gives a role's leaf a weight in some lanes; the role is an index of
    /// [`roles`](Self::roles).
    pub fn weigh(&mut self, role: usize, leaf: usize, lanes: &[u64], weight: u32) {
        if self.sums.is_empty() {
            return;
        }
        let weight = weight.clamp(1, MOST_WEIGHT);
        let everywhere = lanes.iter().all(|&word| word == u64::MAX);
        if !everywhere && self.lists.is_none() && lists::suit::<W>(self.moves()) {
            let zero = self.lanes.xor(self.lanes);
            self.lists = Some(Lists::new(&self.roles, 1 << self.count_bits, zero));
        }
        match &mut self.lists {
            Some(lists) => lists.weigh(role, leaf, lanes, weight),
            None => self.roles[role].weigh(leaf, lanes, weight),
        }
    }

    /// The number of moves of all roles.
    fn moves(&self) -> usize {
        self.roles.iter().map(|role| role.moves.len()).sum()
    }

    /// Resets the weights of all leaves to 1 in some lanes.
    pub fn weigh_alike(&mut self, lanes: &[u64]) {
        for role in 0..self.roles.len() {
            for leaf in 0..self.roles[role].moves.len() {
                self.weigh(role, leaf, lanes, 1);
            }
        }
        if let Some(lists) = &mut self.lists {
            lists.forget(lanes);
        }
    }

    /// Reads which leaves are legal, and counts them.
    #[inline(always)]
    pub fn read(&mut self, rows: &Rows<W>) {
        let zero = self.lanes.xor(self.lanes);
        for role in &mut self.roles {
            role.lanes = zero;
        }
        for (group, legal) in self.legal.iter_mut().enumerate() {
            let mut all = [zero; 8];
            for role in &mut self.roles {
                role.read(group, rows, &mut all);
            }
            *legal = all;
            self.counts[0].add(group, &[all]);
        }
        self.lanes = zero;
        for role in &self.roles {
            self.lanes = self.lanes.or(role.lanes);
        }
        add_levels(&mut self.counts, zero);
    }

    /// Draws the rank of a legal leaf in proportion to the weights, or uniformly if
    /// there are none; `count` holds the number of legal leaves.
    #[inline(always)]
    pub fn draw(&mut self, count: &[W], rank: &mut [W], random: &mut Random<W>) {
        if self.lists.is_none() && !self.sums.is_empty() {
            return self.descend(rank, random);
        }
        draw_ranks(count, rank, random);
        if let Some(lists) = &mut self.lists {
            lists.draw(&self.roles, rank, random);
        }
    }

    /// Draws a rank by a number below the sum of all weights.
    #[inline(always)]
    fn descend(&mut self, rank: &mut [W], random: &mut Random<W>) {
        let zero = self.lanes.xor(self.lanes);
        let groups = self.legal.len();
        add_weights(zero, &self.roles, groups, &mut self.sums[0], zero);
        add_levels(&mut self.sums, zero);
        let root = &self.sums[self.sums.len() - 1];
        draw_below(root, &mut self.scratch.number, random);
        rank.fill(zero);
        for level in (0..self.counts.len()).rev() {
            let (bits, number_bits) = self.gather_weights(level);
            let weights = &self.scratch.weights[..bits];
            let number = &mut self.scratch.number[..number_bits];
            let chosen = pass_values(zero, weights, number, self.lanes);
            let bits = self.gather_counts(level);
            add_passed(zero, &self.scratch.counts[..bits], &chosen, rank);
            self.enter(level, &chosen);
        }
    }

    /// Finds the leaves of these ranks: writes the bits of their numbers, lowest first,
    /// all set in lanes that have no choice, followed by the bits of the index of
    /// their role.
    #[inline(always)]
    pub fn find(&mut self, rank: &[W], index: &mut Vec<W>) {
        let zero = self.lanes.xor(self.lanes);
        self.scratch.number.fill(zero);
        self.scratch.number[..rank.len()].copy_from_slice(rank);
        index.clear();
        let ones = W::lut3::<0xff>(zero, zero, zero);
        index.resize(3 * self.counts.len(), ones.and_not(self.lanes));
        for level in (0..self.counts.len()).rev() {
            let bits = self.gather_counts(level);
            let counts = &self.scratch.counts[..bits];
            let number = &mut self.scratch.number[..self.counts[level].bits];
            let chosen = pass_values(zero, counts, number, self.lanes);
            for (place, &lanes) in chosen.iter().enumerate() {
                for bit in 0..3 {
                    if place >> bit & 1 != 0 {
                        index[3 * level + bit] = index[3 * level + bit].or(lanes);
                    }
                }
            }
            self.enter(level, &chosen);
        }
        for bit in 0..index_bits(self.roles.len()) {
            let mut row = zero;
            for (index, role) in self.roles.iter().enumerate() {
                if index >> bit & 1 != 0 {
                    row = row.or(role.lanes);
                }
            }
            index.push(row);
        }
    }
}

/// The number of bits of an index.
fn index_bits(count: usize) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

/// The descent.
impl<W: Word> CandidateTree<W> {
    /// Gathers the weights of the children of a level's nodes; returns the number of
    /// bits of a weight and of a number below their sum.
    #[inline(always)]
    fn gather_weights(&mut self, level: usize) -> (usize, usize) {
        let values = &mut self.scratch.weights;
        let active = active_in(&self.active, level, &self.lanes);
        let bits = match level.checked_sub(1) {
            None => {
                let live = &mut self.scratch.live;
                gather_weights(self.lanes, &self.roles, active, live, &mut values[..BITS]);
                BITS
            }
            Some(below) => {
                let below = &self.sums[below];
                gather(&below.rows, below.bits, active, values)
            }
        };
        (bits, self.sums[level].bits)
    }

    /// Gathers the numbers of legal leaves below the children of a level's nodes;
    /// returns their number of bits.
    #[inline(always)]
    fn gather_counts(&mut self, level: usize) -> usize {
        let values = &mut self.scratch.counts;
        let active = active_in(&self.active, level, &self.lanes);
        match level.checked_sub(1) {
            None => gather(&self.legal, 1, active, values),
            Some(below) => {
                let below = &self.counts[below];
                gather(&below.rows, below.bits, active, values)
            }
        }
    }

    /// Moves from the nodes of a level to the children that were chosen.
    #[inline(always)]
    fn enter(&mut self, level: usize, chosen: &Eight<W>) {
        if level > 0 {
            let (below, above) = self.active.split_at_mut(level);
            let active = active_in(above, 0, &self.lanes);
            split_lanes(self.lanes, active, chosen, &mut below[level - 1]);
        }
    }
}

/// The lanes in each node of a level: at the root, all that have a choice.
#[inline(always)]
fn active_in<'a, W>(active: &'a [Vec<Eight<W>>], level: usize, lanes: &'a W) -> &'a [W] {
    match level + 1 == active.len() {
        true => std::slice::from_ref(lanes),
        false => active[level].as_flattened(),
    }
}

#[inline(always)]
fn gather<W: Word>(
    children: &[Eight<W>],
    bits: usize,
    active: &[W],
    values: &mut [Eight<W>],
) -> usize {
    gather_children(active[0], children, active, &mut values[..bits]);
    bits
}

/// Adds up the levels above the lowest.
#[inline(always)]
fn add_levels<W: Word>(levels: &mut [Level<W>], zero: W) {
    for level in 1..levels.len() {
        let (below, above) = levels.split_at_mut(level);
        add_up(zero, &below[level - 1], &mut above[0]);
    }
}

/// Draws a number below the total.
#[inline(always)]
fn draw_below<W: Word>(root: &Level<W>, number: &mut [W], random: &mut Random<W>) {
    let mut total = [root.rows[0][0]; MOST_BITS];
    for (row, bit) in total.iter_mut().zip(&root.rows) {
        *row = bit[0];
    }
    draw_ranks(&total[..root.bits], &mut number[..root.bits], random);
}
