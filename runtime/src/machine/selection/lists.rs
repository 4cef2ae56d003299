//! Choice by weights that differ from lane to lane where moves are many: the weights
//! of the legal moves of every lane are written to a list.
//!
//! A tree of adders does the same work for moves that are legal nowhere and lanes
//! without weights as for others, but for all lanes at once. Lists are faster for
//! games in which a lane has ten legal moves out of two thousand, in narrow words,
//! and where only some of the games in a machine are played by weight.

use super::candidates::Candidates;
use crate::draw::{MOST_BITS, SequentialDraw};
use crate::engine::lanes_of;
use crate::lanes::{Word, kernel};
use crate::random::Random;

/// The number of moves per lane from which lists are at least as fast as a tree with
/// weights in half of the lanes (`cargo bench --bench selection`).
const MOVES_PER_LANE: usize = 2;

/// Padding that keeps lists from beginning at multiples of a power of two, of which a
/// cache holds few.
const GAP: usize = 16;

/// The weights of a choice's moves, and the lists of a step.
pub(super) struct Lists<W> {
    /// The weights of moves, role after role: all lanes of a move, then those of the
    /// next.
    weights: Vec<u16>,
    /// The index of every role's first move among them.
    starts: Vec<usize>,
    /// The lanes in which some move was given a weight other than 1.
    weighed: W,
    /// The legal moves in those lanes, followed by an entry without lanes.
    parts: Vec<LegalLanes>,
    /// For every lane the sums of the weights up to and including each legal move, in
    /// `room` entries.
    sums: Vec<u32>,
    room: usize,
    ends: Vec<ListEnd>,
}

/// Those of 64 lanes in which a move is legal.
#[derive(Clone, Copy, Default)]
struct LegalLanes {
    lanes: u64,
    /// The first of the 64 lanes.
    first: u32,
    /// The index of the move among the weights.
    at: u32,
}

/// The end of a lane's list: its length and the sum of its weights.
#[derive(Clone, Copy, Default)]
struct ListEnd {
    length: u32,
    sum: u32,
}

/// Whether lists are faster for a choice with this number of moves.
pub(super) fn suit<W: Word>(moves: usize) -> bool {
    moves >= MOVES_PER_LANE * W::LANES
}

impl<W: Word> Lists<W> {
    /// The lists of a choice of which at most `most` moves are legal in a lane, with
    /// the weights that its candidates have in all lanes.
    pub fn new(roles: &[Candidates<W>], most: usize, zero: W) -> Self {
        let (mut weights, mut starts, mut weighed) = (Vec::new(), Vec::new(), zero);
        for candidates in roles {
            starts.push(weights.len() / W::LANES);
            for leaf in 0..candidates.moves.len() {
                let weight = candidates.common_weight(leaf);
                weights.extend(std::iter::repeat_n(weight, W::LANES));
                if weight != 1 {
                    weighed.words_mut().fill(u64::MAX);
                }
            }
        }
        let room = most + GAP;
        Self {
            parts: vec![LegalLanes::default(); weights.len() / 64 + 1],
            weights,
            starts,
            weighed,
            sums: vec![0; W::LANES * room],
            room,
            ends: vec![ListEnd::default(); W::LANES],
        }
    }

    /// Gives a role's leaf a weight in some lanes.
    pub fn weigh(&mut self, role: usize, leaf: usize, lanes: &[u64], weight: u32) {
        let at = (self.starts[role] + leaf) * W::LANES;
        let weights = &mut self.weights[at..][..W::LANES];
        lanes_of(lanes).for_each(|lane| weights[lane] = weight as u16);
        if weight != 1 {
            let words = self.weighed.words_mut().iter_mut();
            words.zip(lanes).for_each(|(word, &lanes)| *word |= lanes);
        }
    }

    /// Marks lanes in which all moves weigh 1.
    pub fn forget(&mut self, lanes: &[u64]) {
        let words = self.weighed.words_mut().iter_mut();
        words.zip(lanes).for_each(|(word, &lanes)| *word &= !lanes);
    }

    /// Draws the rank of a legal leaf in proportion to the weights, in lanes that have
    /// a choice and weights other than 1.
    #[inline(always)]
    pub fn draw(&mut self, roles: &[Candidates<W>], rank: &mut [W], random: &mut Random<W>) {
        let lanes = self.weighed;
        if !lanes.is_zero() {
            write_lists(lanes, self, roles);
            draw_from_lists(lanes, self, rank, random);
        }
    }
}

kernel! {
    /// Writes the lists. In a lane, at most one role's moves are legal.
    fn write_lists<'a, W>(lists: &'a mut Lists<W>, roles: &'a [Candidates<W>]) {
        let found = lists.find_legal(roles);
        lists.add_up(found);
    }
}

impl<W: Word> Lists<W> {
    /// Collects the legal moves of the lanes; returns the number of entries.
    #[inline(always)]
    fn find_legal(&mut self, roles: &[Candidates<W>]) -> usize {
        let mut found = 0;
        let last = self.weighed.words().iter().rposition(|&word| word != 0);
        let words = last.map_or(0, |last| last + 1);
        for (candidates, &start) in roles.iter().zip(&self.starts) {
            let legal = candidates
                .legal
                .as_flattened()
                .iter()
                .take(candidates.moves.len());
            for (at, legal) in (start..).zip(legal) {
                let legal = legal.and(self.weighed);
                if legal.is_zero() {
                    continue;
                }
                for (word, &lanes) in legal.words()[..words].iter().enumerate() {
                    self.parts[found] = LegalLanes {
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

    /// Adds up the weights of the moves in the first `found` entries; the one after
    /// them has no lanes.
    #[inline(always)]
    fn add_up(&mut self, found: usize) {
        let (weights, parts) = (&self.weights[..], &self.parts[..=found]);
        let (ends, sums) = (&mut self.ends[..W::LANES], &mut self.sums[..]);
        ends.fill(ListEnd::default());
        let count: u32 = parts.iter().map(|part| part.lanes.count_ones()).sum();
        let (mut current, mut lanes) = (0, parts[0].lanes);
        for _ in 0..count {
            let LegalLanes { first, at, .. } = parts[current];
            let lane = first as usize + lanes.trailing_zeros() as usize;
            let weight = weights[at as usize * W::LANES + lane];
            let ListEnd { length, sum } = ends[lane];
            let sum = sum + u32::from(weight);
            sums[lane * self.room + length as usize] = sum;
            ends[lane] = ListEnd {
                length: length + 1,
                sum,
            };
            // The last lane of an entry is unpredictable: no branch.
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

kernel! {
    /// Draws a number below the last sum of every list, and finds the move on which
    /// it falls.
    fn draw_from_lists<'a, W>(
        lists: &'a Lists<W>,
        rank: &'a mut [W],
        random: &'a mut Random<W>,
    ) {
        let mut numbers = SequentialDraw::new(random);
        for (word, &lanes) in lists.weighed.words().iter().enumerate() {
            let mut bits = [0; MOST_BITS];
            for place in lanes_of(&[lanes]) {
                let lane = word * 64 + place;
                let ListEnd { length, sum } = lists.ends[lane];
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
