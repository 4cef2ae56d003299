//! Breakthrough on eight by eight squares, as in games/breakthrough.kif.
//!
//! A bit per square, rank by rank from the first player's side. The moves are three
//! masks of the squares moved to: straight ahead, towards file a, towards file h.

use super::bits::Bits;
use super::position::Position;
use std::hint::select_unpredictable as select;

pub const FILE_A: u64 = 0x0101_0101_0101_0101;
pub const FILE_H: u64 = FILE_A << 7;
pub const RANK_1: u64 = 0xff;
pub const RANK_8: u64 = RANK_1 << 56;

/// The men of the player to move and of the other one.
#[derive(Clone, Copy)]
pub struct Breakthrough {
    pub own: u64,
    pub other: u64,
}

/// The squares that can be moved to.
#[derive(Clone, Copy)]
pub struct Moves {
    straight: u64,
    /// Towards file a.
    left: u64,
    /// Towards file h.
    right: u64,
}

impl Breakthrough {
    /// The initial position. The player who moves at even plies goes up.
    pub const fn set_up<const EVEN: bool>() -> Self {
        let (low, high) = (0xffff, 0xffff << 48);
        let (own, other) = if EVEN { (low, high) } else { (high, low) };
        Self { own, other }
    }
}

impl Position for Breakthrough {
    type Moves = Moves;

    fn start<const EVEN: bool>() -> Self {
        Self::set_up::<EVEN>()
    }

    #[inline(always)]
    fn moves<const EVEN: bool>(&self) -> Option<Moves> {
        let Self { own, other } = *self;
        let arrived = other & if EVEN { RANK_1 } else { RANK_8 };
        if arrived != 0 || own == 0 {
            return None;
        }
        let (left, right) = (own & !FILE_A, own & !FILE_H);
        let [straight, left, right] = match EVEN {
            true => [own << 8, left << 7, right << 9],
            false => [own >> 8, left >> 9, right >> 7],
        };
        Some(Moves {
            straight: straight & !(own | other),
            left: left & !own,
            right: right & !own,
        })
    }

    #[inline(always)]
    fn count(moves: &Moves) -> u32 {
        moves.straight.count_ones() + moves.left.count_ones() + moves.right.count_ones()
    }

    #[inline(always)]
    fn make<const EVEN: bool>(&mut self, moves: &Moves, number: u32, bits: impl Bits) {
        let before = moves.left.count_ones();
        let past_left = number >= before;
        let after = moves.straight.count_ones() + before;
        let past_both = number >= after;
        let mask = select(past_left, moves.straight, moves.left);
        let mask = select(past_both, moves.right, mask);
        let skipped = select(past_left, before, 0);
        let skipped = select(past_both, after, skipped);
        // Left, straight and right are one square further each.
        let distance = 7 + u32::from(past_left) + u32::from(past_both);
        let to = bits.nth(mask, number - skipped);
        let from = match EVEN {
            true => to >> distance,
            false => to << (16 - distance),
        };
        *self = Self {
            own: self.other & !to,
            other: self.own ^ from ^ to,
        };
    }

    /// The player to move has lost.
    fn first_goal(&self, plies: u64) -> u64 {
        100 * (plies & 1)
    }
}
