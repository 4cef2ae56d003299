//! Choosing by weights that differ from lane to lane where moves are many: what the
//! legal moves of every lane weigh is written down, one after another.
//!
//! A tree of adders does as much for moves that are legal nowhere and for lanes
//! without weights as for others, but does it for all lanes at once. So lists are
//! better for rules by which a lane has ten legal moves out of two thousand, in
//! narrow words, and where only some games side by side are played by weight.

use super::side::Side;
use crate::draw::{MOST_BITS, OneByOne};
use crate::engine::lanes_of;
use crate::lanes::{Kernel, Word};
use crate::random::Random;

/// From so many moves for every lane on lists are as fast as a tree with weights in
/// half of the lanes, or faster (`cargo bench --bench selection`).
const MOVES_PER_LANE: usize = 2;

/// Keeps lists from beginning at multiples of a power of two, of which a cache holds
/// few.
const GAP: usize = 16;

/// The weights of a choice's moves, and the lists of a step.
pub(super) struct Lists<W> {
    /// What moves weigh, all sides' one after another: all lanes of a move, then
    /// those of the next.
    weights: Vec<u16>,
    /// Where every side's moves begin among them.
    starts: Vec<usize>,
    /// The lanes in which some move was given a weight other than 1.
    weighed: W,
    /// Where legal moves are in those lanes, then one part without lanes.
    parts: Vec<Part>,
    /// For every lane the sums of the weights up to and with each legal move, in
    /// `room` places.
    sums: Vec<u32>,
    room: usize,
    ends: Vec<End>,
}

/// Some lanes in which a move is legal.
#[derive(Clone, Copy, Default)]
struct Part {
    lanes: u64,
    /// The first of the 64 lanes that these are of.
    first: u32,
    /// The move, by its place among the weights.
    at: u32,
}

/// Where the list of a lane ends.
#[derive(Clone, Copy, Default)]
struct End {
    length: u32,
    sum: u32,
}

/// Whether lists are the better way for a choice with so many moves.
pub(super) fn suit<W: Word>(moves: usize) -> bool {
    moves >= MOVES_PER_LANE * W::LANES
}

impl<W: Word> Lists<W> {
    /// For a choice of which at most `most` moves are legal in a lane, with the
    /// weights that its sides have in all lanes.
    pub fn new(sides: &[Side<W>], most: usize, zero: W) -> Self {
        let (mut weights, mut starts, mut weighed) = (Vec::new(), Vec::new(), zero);
        for side in sides {
            starts.push(weights.len() / W::LANES);
            for leaf in 0..side.moves.len() {
                let weight = side.common_weight(leaf);
                weights.extend(std::iter::repeat_n(weight, W::LANES));
                if weight != 1 {
                    weighed.words_mut().fill(u64::MAX);
                }
            }
        }
        let room = most + GAP;
        Self {
            parts: vec![Part::default(); weights.len() / 64 + 1],
            weights,
            starts,
            weighed,
            sums: vec![0; W::LANES * room],
            room,
            ends: vec![End::default(); W::LANES],
        }
    }

    /// Gives a side's leaf a weight in some lanes.
    pub fn weigh(&mut self, side: usize, leaf: usize, lanes: &[u64], weight: u32) {
        let at = (self.starts[side] + leaf) * W::LANES;
        let weights = &mut self.weights[at..][..W::LANES];
        lanes_of(lanes).for_each(|lane| weights[lane] = weight as u16);
        if weight != 1 {
            let words = self.weighed.words_mut().iter_mut();
            words.zip(lanes).for_each(|(word, &lanes)| *word |= lanes);
        }
    }

    /// Says that all moves weigh 1 in some lanes.
    pub fn forget(&mut self, lanes: &[u64]) {
        let words = self.weighed.words_mut().iter_mut();
        words.zip(lanes).for_each(|(word, &lanes)| *word &= !lanes);
    }

    /// Draws the rank of a legal leaf in proportion to the weights, in lanes with a
    /// choice in which weights other than 1 were given.
    #[inline(always)]
    pub fn draw(&mut self, sides: &[Side<W>], rank: &mut [W], random: &mut Random<W>) {
        let lanes = self.weighed;
        if !lanes.is_zero() {
            W::run(Write { lists: self, sides }, lanes);
            let pick = Pick {
                lists: self,
                rank,
                random,
            };
            W::run(pick, lanes);
        }
    }
}

/// Writes the lists. In a lane, one side's moves are legal at most.
struct Write<'a, W> {
    lists: &'a mut Lists<W>,
    sides: &'a [Side<W>],
}

impl<W: Word> Kernel for Write<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let found = self.lists.find_legal(self.sides);
        self.lists.add_up(found);
    }
}

impl<W: Word> Lists<W> {
    /// Writes down in which of the lanes moves are legal; gives how many parts that
    /// takes.
    #[inline(always)]
    fn find_legal(&mut self, sides: &[Side<W>]) -> usize {
        let mut found = 0;
        let last = self.weighed.words().iter().rposition(|&word| word != 0);
        let words = last.map_or(0, |last| last + 1);
        for (side, &start) in sides.iter().zip(&self.starts) {
            let legal = side.legal.as_flattened().iter().take(side.moves.len());
            for (at, legal) in (start..).zip(legal) {
                let legal = legal.and(self.weighed);
                if legal.is_zero() {
                    continue;
                }
                for (word, &lanes) in legal.words()[..words].iter().enumerate() {
                    self.parts[found] = Part {
                        lanes,
                        first: word as u32 * 64,
                        at: at as u32,
                    };
                    found += usize::from(lanes != 0);
                }
            }
        }
        self.parts[found].lanes = 0;
        found
    }

    /// Adds up the weights of the moves in so many parts, and of one without lanes.
    #[inline(always)]
    fn add_up(&mut self, found: usize) {
        let (weights, parts) = (&self.weights[..], &self.parts[..=found]);
        let (ends, sums) = (&mut self.ends[..W::LANES], &mut self.sums[..]);
        ends.fill(End::default());
        let count: u32 = parts.iter().map(|part| part.lanes.count_ones()).sum();
        let (mut current, mut lanes) = (0, parts[0].lanes);
        for _ in 0..count {
            let Part { first, at, .. } = parts[current];
            let lane = first as usize + lanes.trailing_zeros() as usize;
            let weight = weights[at as usize * W::LANES + lane];
            let End { length, sum } = ends[lane];
            let sum = sum + u32::from(weight);
            sums[lane * self.room + length as usize] = sum;
            ends[lane] = End {
                length: length + 1,
                sum,
            };
            // Which lane is the last of a part cannot be foreseen: no branch.
            lanes &= lanes - 1;
            current += usize::from(lanes == 0);
            lanes = if lanes == 0 {
                parts[current].lanes
            } else {
                lanes
            };
        }
    }
}

/// Draws a number below the last sum of every list, and finds the move on which it
/// falls.
struct Pick<'a, W> {
    lists: &'a Lists<W>,
    rank: &'a mut [W],
    random: &'a mut Random<W>,
}

impl<W: Word> Kernel for Pick<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            lists,
            rank,
            random,
        } = self;
        let mut numbers = OneByOne::new(random);
        for (word, &lanes) in lists.weighed.words().iter().enumerate() {
            let mut bits = [0; MOST_BITS];
            for place in lanes_of(&[lanes]) {
                let lane = word * 64 + place;
                let End { length, sum } = lists.ends[lane];
                if sum > 0 {
                    let number = numbers.below(sum);
                    let list = &lists.sums[lane * lists.room..][..length as usize];
                    let passed = list.iter().filter(|&&sum| sum <= number).count();
                    for (bit, bits) in bits[..rank.len()].iter_mut().enumerate() {
                        *bits |= (passed as u64 >> bit & 1) << place;
                    }
                }
            }
            for (row, bits) in rank.iter_mut().zip(bits) {
                let row = &mut row.words_mut()[word];
                *row = *row & !lanes | bits;
            }
        }
    }
}
