//! One choice of the layout as a tree over the moves that compete in it.
//!
//! Its leaves are places in the legal order: the first of every role that has
//! the choice share a leaf, and so on, since in a lane only one role's moves are
//! legal. So the number of legal leaves before a leaf is the rank of its move. A
//! node has eight children, which bounds the levels and lets the lowest level,
//! where nearly all rows are, go through registers.

use super::descent::{CountPassed, Gather, Pass, Split};
use super::lists::{self, Lists};
use super::side::{AddWeights, BITS, GatherWeights, Side};
use super::sums::{AddUp, Eight, Level, levels};
use crate::draw::{MOST_BITS, draw_ranks};
use crate::engine::MOST_WEIGHT;
use crate::lanes::Word;
use crate::layout::Layout;
use crate::program::Rows;
use crate::random::Random;

/// See the head of the file.
pub(super) struct Tree<W> {
    /// The roles that have the choice.
    pub sides: Vec<Side<W>>,
    /// The leaves that are legal, whosever they are; the last place is no leaf,
    /// and stands for none.
    legal: Vec<Eight<W>>,
    /// How many leaves are legal, by levels upwards.
    counts: Vec<Level<W>>,
    count_bits: usize,
    /// What the weights of legal leaves add up to, by levels upwards: none while
    /// nobody weighs.
    sums: Vec<Level<W>>,
    /// Weights that differ from lane to lane, where leaves are many.
    lists: Option<Lists<W>>,
    /// Lanes that have a choice.
    lanes: W,
    /// The lanes that are in each node on the way down, by levels upwards.
    active: Vec<Vec<Eight<W>>>,
    scratch: Scratch<W>,
}

struct Scratch<W> {
    number: Vec<W>,
    weights: Vec<Eight<W>>,
    counts: Vec<Eight<W>>,
    live: Vec<(usize, Eight<W>)>,
}

impl<W: Word> Tree<W> {
    /// The tree of a choice.
    pub fn new(layout: &Layout, choice: usize, zero: W) -> Self {
        let sides = (0..layout.roles.len()).map(|role| Side::new(layout, choice, role, zero));
        let sides: Vec<_> = sides.filter(|side| !side.moves.is_empty()).collect();
        let leaves = sides.iter().map(|side| side.moves.len());
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
            scratch: Scratch {
                number: vec![zero; MOST_BITS],
                weights: vec![[zero; 8]; MOST_BITS],
                counts: vec![[zero; 8]; MOST_BITS],
                live: Vec::new(),
            },
            sides,
            counts,
            count_bits,
        }
    }

    /// The number of places that leaves' numbers can name.
    pub fn places(&self) -> usize {
        8_usize.pow(self.counts.len() as u32)
    }

    /// Makes room for weights, unless their sums could have more bits than can
    /// be drawn below; all are 1 at first.
    pub fn allow_weights(&mut self, zero: W) {
        let most_bits = BITS + self.count_bits;
        if self.sums.is_empty() && most_bits <= MOST_BITS {
            self.sums = levels(self.legal.len() * 8, BITS, most_bits, zero);
        }
    }

    /// Gives a side's leaf a weight in some lanes.
    pub fn weigh(&mut self, side: usize, leaf: usize, lanes: &[u64], weight: u32) {
        if self.sums.is_empty() {
            return;
        }
        let weight = weight.clamp(1, MOST_WEIGHT);
        let everywhere = lanes.iter().all(|&word| word == u64::MAX);
        if !everywhere && self.lists.is_none() && lists::suit::<W>(self.moves()) {
            let zero = self.lanes.xor(self.lanes);
            self.lists = Some(Lists::new(&self.sides, 1 << self.count_bits, zero));
        }
        match &mut self.lists {
            Some(lists) => lists.weigh(side, leaf, lanes, weight),
            None => self.sides[side].weigh(leaf, lanes, weight),
        }
    }

    /// How many moves all sides have.
    fn moves(&self) -> usize {
        self.sides.iter().map(|side| side.moves.len()).sum()
    }

    /// Makes all leaves weigh 1 in some lanes.
    pub fn weigh_alike(&mut self, lanes: &[u64]) {
        for side in 0..self.sides.len() {
            for leaf in 0..self.sides[side].moves.len() {
                self.weigh(side, leaf, lanes, 1);
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
        for side in &mut self.sides {
            side.lanes = zero;
        }
        for (group, legal) in self.legal.iter_mut().enumerate() {
            let mut all = [zero; 8];
            for side in &mut self.sides {
                side.read(group, rows, &mut all);
            }
            *legal = all;
            self.counts[0].add(group, &[all]);
        }
        self.lanes = zero;
        for side in &self.sides {
            self.lanes = self.lanes.or(side.lanes);
        }
        add_levels(&mut self.counts, zero);
    }

    /// Draws the rank of a legal leaf in proportion to the weights, or uniformly
    /// where there are none; `count` holds how many are legal.
    #[inline(always)]
    pub fn draw(&mut self, count: &[W], rank: &mut [W], random: &mut Random<W>) {
        if self.lists.is_none() && !self.sums.is_empty() {
            return self.descend(rank, random);
        }
        draw_ranks(count, rank, random);
        if let Some(lists) = &mut self.lists {
            lists.draw(&self.sides, rank, random);
        }
    }

    /// Draws a rank by a number below the sum of all weights.
    #[inline(always)]
    fn descend(&mut self, rank: &mut [W], random: &mut Random<W>) {
        let zero = self.lanes.xor(self.lanes);
        let add = AddWeights {
            sides: &self.sides,
            groups: self.legal.len(),
            sums: &mut self.sums[0],
            zero,
        };
        W::run(add, zero);
        add_levels(&mut self.sums, zero);
        let root = &self.sums[self.sums.len() - 1];
        draw_below(root, &mut self.scratch.number, random);
        rank.fill(zero);
        for level in (0..self.counts.len()).rev() {
            let (bits, number_bits) = self.gather_weights(level);
            let pass = Pass {
                values: &self.scratch.weights[..bits],
                number: &mut self.scratch.number[..number_bits],
                lanes: self.lanes,
            };
            let chosen = W::run(pass, zero);
            let bits = self.gather_counts(level);
            let count = CountPassed {
                counts: &self.scratch.counts[..bits],
                chosen: &chosen,
                before: rank,
            };
            W::run(count, zero);
            self.enter(level, &chosen);
        }
    }

    /// Finds the leaves of these ranks: the bits of their numbers, lowest first,
    /// all set in lanes that have no choice, then those of the numbers of their
    /// sides.
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
            let pass = Pass {
                values: &self.scratch.counts[..bits],
                number: &mut self.scratch.number[..self.counts[level].bits],
                lanes: self.lanes,
            };
            let chosen = W::run(pass, zero);
            for (place, &lanes) in chosen.iter().enumerate() {
                for bit in 0..3 {
                    if place >> bit & 1 != 0 {
                        index[3 * level + bit] = index[3 * level + bit].or(lanes);
                    }
                }
            }
            self.enter(level, &chosen);
        }
        for bit in 0..side_bits(self.sides.len()) {
            let mut row = zero;
            for (number, side) in self.sides.iter().enumerate() {
                if number >> bit & 1 != 0 {
                    row = row.or(side.lanes);
                }
            }
            index.push(row);
        }
    }
}

/// The bits of the number of a side.
fn side_bits(sides: usize) -> u32 {
    sides.next_power_of_two().trailing_zeros()
}

/// The way down.
impl<W: Word> Tree<W> {
    /// Gathers the weights of the children of a level's nodes; gives how many bits
    /// they have, and a number below their sum.
    #[inline(always)]
    fn gather_weights(&mut self, level: usize) -> (usize, usize) {
        let values = &mut self.scratch.weights;
        let active = active_in(&self.active, level, &self.lanes);
        let bits = match level.checked_sub(1) {
            None => {
                let gather = GatherWeights {
                    sides: &self.sides,
                    active,
                    live: &mut self.scratch.live,
                    values: &mut values[..BITS],
                };
                W::run(gather, self.lanes);
                BITS
            }
            Some(below) => {
                let below = &self.sums[below];
                gather(&below.rows, below.bits, active, values)
            }
        };
        (bits, self.sums[level].bits)
    }

    /// Gathers how many leaves are legal below the children of a level's nodes;
    /// gives how many bits that has.
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

    /// Goes from the nodes of a level to those of their children that were
    /// chosen.
    #[inline(always)]
    fn enter(&mut self, level: usize, chosen: &Eight<W>) {
        if level > 0 {
            let (below, above) = self.active.split_at_mut(level);
            let split = Split {
                active: active_in(above, 0, &self.lanes),
                chosen,
                children: &mut below[level - 1],
            };
            W::run(split, self.lanes);
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
    let gather = Gather {
        children,
        active,
        values: &mut values[..bits],
    };
    W::run(gather, active[0]);
    bits
}

/// Adds up the levels above the lowest.
#[inline(always)]
fn add_levels<W: Word>(levels: &mut [Level<W>], zero: W) {
    for level in 1..levels.len() {
        let (below, above) = levels.split_at_mut(level);
        let add = AddUp {
            addends: &below[level - 1],
            sums: &mut above[0],
        };
        W::run(add, zero);
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
