//! Othello on eight by eight squares, as in games/othello.kif; or, if `AT_ONCE`,
//! as in the public rule sheet, where the game is over as soon as neither player
//! can place a disc rather than when both have passed.
//!
//! A bit a square, rank by rank. Moves are found for all squares at once by
//! parallel prefixes, turned discs by carries along the lines through the square
//! (both as Othello programs do it, see Edax by Richard Delorme).

use super::bits::Bits;
use super::position::Position;

/// The squares that are not on the files a and h: runs end there sideways.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The discs of the player to move and of the other one.
#[derive(Clone, Copy)]
pub struct Othello<const AT_ONCE: bool> {
    own: u64,
    other: u64,
    passed: bool,
}

/// The empty squares on which `own` can place a disc.
#[inline(always)]
fn mobility(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let [east_west, south_north, slants, other_slants] = [
        reached::<1>(own, inner),
        reached::<8>(own, other),
        reached::<7>(own, inner),
        reached::<9>(own, inner),
    ];
    (east_west | south_north | slants | other_slants) & !(own | other)
}

/// The squares behind runs of `between` that start beside `own`, in both
/// directions.
#[inline(always)]
fn reached<const STEP: u32>(own: u64, between: u64) -> u64 {
    let mut up = between & own << STEP;
    let mut down = between & own >> STEP;
    up |= between & up << STEP;
    down |= between & down >> STEP;
    let pairs = between & between << STEP;
    let pairs_down = pairs >> STEP;
    up |= pairs & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up |= pairs & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up << STEP | down >> STEP
}

/// For every square the squares beyond it on the four lines through it: first
/// those with higher numbers, a direction each, then those with lower ones.
static LINES: [[u64; 8]; 64] = lines();

const fn lines() -> [[u64; 8]; 64] {
    let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut lines = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (file, rank) = steps[line];
            lines[square][line] = ray(square as i32, file, rank);
            lines[square][line + 4] = ray(square as i32, -file, -rank);
            line += 1;
        }
        square += 1;
    }
    lines
}

const fn ray(square: i32, file_step: i32, rank_step: i32) -> u64 {
    let mut squares = 0;
    let mut file = square % 8 + file_step;
    let mut rank = square / 8 + rank_step;
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        squares |= 1 << (8 * rank + file);
        file += file_step;
        rank += rank_step;
    }
    squares
}

/// The discs of `other` that are enclosed when `own` places one.
#[inline(always)]
fn turned(own: u64, other: u64, square: usize) -> u64 {
    let lines = &LINES[square & 63];
    let mut turned = 0;
    for &line in &lines[..4] {
        // The carry runs through all but those squares of the line that are not `other`'s.
        let end = (other | !line).wrapping_add(1) & own & line;
        turned |= end.wrapping_sub(u64::from(end != 0)) & line;
    }
    for &line in &lines[4..] {
        // If all of the line is `other`'s, the end is at most bit 63, which gives an empty mask.
        let stop = (!other & line).leading_zeros();
        let end = (1_u64 << 63).wrapping_shr(stop) & own;
        turned |= end.wrapping_neg().wrapping_mul(2) & line;
    }
    turned
}

impl<const AT_ONCE: bool> Position for Othello<AT_ONCE> {
    /// The squares on which a disc can be placed; none is a pass.
    type Moves = u64;

    fn start<const EVEN: bool>() -> Self {
        Self {
            own: 1 << 28 | 1 << 35,
            other: 1 << 27 | 1 << 36,
            passed: false,
        }
    }

    #[inline(always)]
    fn moves<const EVEN: bool>(&self) -> Option<u64> {
        let Self { own, other, passed } = *self;
        let moves = mobility(own, other);
        let over = moves == 0
            && match AT_ONCE {
                true => mobility(other, own) == 0,
                false => passed || own | other == u64::MAX,
            };
        (!over).then_some(moves)
    }

    #[inline(always)]
    fn count(moves: &u64) -> u32 {
        moves.count_ones().max(1)
    }

    #[inline(always)]
    fn make<const EVEN: bool>(&mut self, moves: &u64, number: u32, bits: impl Bits) {
        let Self { own, other, .. } = *self;
        if *moves == 0 {
            *self = Self {
                own: other,
                other: own,
                passed: true,
            };
            return;
        }
        let placed = bits.nth(*moves, number);
        let turned = turned(own, other, placed.trailing_zeros() as usize);
        *self = Self {
            own: other ^ turned,
            other: own | turned | placed,
            passed: false,
        };
    }

    fn first_goal(&self, plies: u64) -> u64 {
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        let (first, second) = match plies & 1 {
            0 => (own, other),
            _ => (other, own),
        };
        50 + 50 * u64::from(first > second) - 50 * u64::from(first < second)
    }
}
