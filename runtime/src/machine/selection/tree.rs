//! One choice of the layout as a tree over the moves that compete in it.
//!
//! Its leaves are the moves of every role that has the choice, role by role,
//! each role's in the legal order. In a lane only one role's leaves are legal, so
//! that the number of legal leaves before a leaf is the rank of its move. A node
//! has eight children, which bounds the levels and lets the lowest level, where
//! nearly all rows are, go through registers.

use super::descent::{CountPassed, Gather, Pass, Split};
use super::sums::{AddUp, Eight, Level, levels};
use super::weights::{AddLegal, GatherLegal, Weights};
use crate::draw::{MOST_BITS, draw_ranks};
use crate::engine::{Move, NO_CHOICE, Role, WEIGHT_BITS};
use crate::lanes::Word;
use crate::layout::{Layout, Row};
use crate::program::Rows;
use crate::random::Random;

/// See the head of the file.
pub(super) struct Tree<W> {
    /// The leaves: whose move, which, and the row that says whether it is legal.
    pub leaves: Vec<(Role, Move, Row)>,
    /// For every role that has the choice, the number of its move at each leaf,
    /// and [`NO_CHOICE`] at those of others and beyond the last leaf.
    pub moves: Vec<(Role, Box<[u32]>)>,
    legal: Vec<Eight<W>>,
    /// How many leaves are legal, by levels upwards.
    counts: Vec<Level<W>>,
    count_bits: usize,
    weighing: Option<Weighing<W>>,
    /// Lanes that have a choice.
    lanes: W,
    /// The lanes that are in each node on the way down, by levels upwards.
    active: Vec<Vec<Eight<W>>>,
    scratch: Scratch<W>,
}

/// The weights of the leaves, and what those of legal ones add up to.
struct Weighing<W> {
    weights: Weights<W>,
    sums: Vec<Level<W>>,
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
        let mut leaves = Vec::new();
        for (role, order) in layout.legal_order.iter().enumerate() {
            let moves = order
                .iter()
                .map(|&mv| (mv, &layout.moves[role][mv as usize]));
            let moves = moves.filter(|(_, mv)| mv.choice == Some(choice as u32));
            leaves.extend(moves.map(|(number, mv)| (role, Move(number), mv.legal)));
        }
        let count_bits = layout.choices[choice].count_bits as usize;
        // The last place is no leaf: it stands for none.
        let places = leaves.len() + 1;
        let counts = levels(places, 1, count_bits, zero);
        let nodes = |level: &Level<W>| vec![[zero; 8]; level.rows.len() / level.bits];
        Self {
            legal: vec![[zero; 8]; places.div_ceil(8)],
            weighing: None,
            lanes: zero,
            active: counts.iter().map(nodes).collect(),
            scratch: Scratch {
                number: vec![zero; MOST_BITS],
                weights: vec![[zero; 8]; MOST_BITS],
                counts: vec![[zero; 8]; MOST_BITS],
                live: Vec::new(),
            },
            moves: moves_by_role(&leaves, 8_usize.pow(counts.len() as u32)),
            leaves,
            counts,
            count_bits,
        }
    }

    /// Makes room for weights, unless their sums could have more bits than can
    /// be drawn below; all are 1 at first.
    pub fn allow_weights(&mut self, zero: W) {
        let bits = WEIGHT_BITS as usize;
        if self.weighing.is_none() && bits + self.count_bits <= MOST_BITS {
            self.weighing = Some(Weighing {
                weights: Weights::new(self.legal.len(), zero),
                sums: levels(self.leaves.len() + 1, bits, bits + self.count_bits, zero),
            });
        }
    }

    /// Gives a leaf a weight in some lanes.
    pub fn weigh(&mut self, leaf: usize, lanes: W, weight: u32) {
        if let Some(weighing) = &mut self.weighing {
            weighing.weights.set(leaf, lanes, weight);
        }
    }

    /// Reads which leaves are legal, and counts them.
    #[inline(always)]
    pub fn count(&mut self, rows: &Rows<W>, zero: W) {
        for (leaf, &(_, _, row)) in self.leaves.iter().enumerate() {
            self.legal[leaf / 8][leaf % 8] = match row {
                Row::Base(index) => rows.now[index as usize],
                Row::Work(index) => rows.work[index as usize],
            };
        }
        let addends = &self.legal;
        W::run(
            AddUp {
                addends,
                bits: 1,
                sums: &mut self.counts[0],
            },
            zero,
        );
        add_levels(&mut self.counts, zero);
        self.lanes = zero;
        let root = &self.counts[self.counts.len() - 1];
        for bit in &root.rows {
            self.lanes = self.lanes.or(bit[0]);
        }
    }

    /// Draws the rank of a legal leaf in proportion to the weights, where there
    /// is one; false if there are no weights.
    #[inline(always)]
    pub fn draw(&mut self, rank: &mut [W], random: &mut Random<W>) -> bool {
        let zero = self.lanes.xor(self.lanes);
        let Some(Weighing { weights, sums }) = &mut self.weighing else {
            return false;
        };
        let add = AddLegal {
            weights,
            legal: &self.legal,
            sums: &mut sums[0],
        };
        W::run(add, zero);
        add_levels(sums, zero);
        draw_below(&sums[sums.len() - 1], &mut self.scratch.number, random);
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
        true
    }

    /// Finds the leaves of these ranks: the bits of their numbers, lowest first,
    /// all set in lanes that have no choice.
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
    }
}

fn moves_by_role(leaves: &[(Role, Move, Row)], places: usize) -> Vec<(Role, Box<[u32]>)> {
    let mut roles: Vec<Role> = leaves.iter().map(|&(role, _, _)| role).collect();
    roles.dedup();
    let of_role = |role: Role| {
        let mut moves = vec![NO_CHOICE; places].into_boxed_slice();
        for (place, &(whose, mv, _)) in moves.iter_mut().zip(leaves) {
            if whose == role {
                *place = mv.0;
            }
        }
        (role, moves)
    };
    roles.into_iter().map(of_role).collect()
}

/// The way down.
impl<W: Word> Tree<W> {
    /// Gathers the weights of the children of a level's nodes; gives how many bits
    /// they have, and a number below their sum.
    #[inline(always)]
    fn gather_weights(&mut self, level: usize) -> (usize, usize) {
        let Some(Weighing { weights, sums }) = &mut self.weighing else {
            return (0, 0);
        };
        let values = &mut self.scratch.weights;
        let active = active_in(&self.active, level, &self.lanes);
        let bits = match level.checked_sub(1) {
            None => {
                let bits = WEIGHT_BITS as usize;
                let gather = GatherLegal {
                    weights,
                    legal: &self.legal,
                    active,
                    live: &mut self.scratch.live,
                    values: &mut values[..bits],
                };
                W::run(gather, self.lanes);
                bits
            }
            Some(below) => gather(&sums[below].rows, sums[below].bits, active, values),
        };
        (bits, sums[level].bits)
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
        let below = &below[level - 1];
        let add = AddUp {
            addends: &below.rows,
            bits: below.bits,
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
