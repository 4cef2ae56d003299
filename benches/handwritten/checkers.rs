//! English draughts, as in games/checkers.kif: capturing is compulsory, every
//! jump of a multiple capture is a ply of the same player, 80 plies without
//! progress are a draw.
//!
//! A bit per square, rank by rank. Only the dark squares are used, and a step over
//! the left or right edge ends on a light one, so that no mask is needed to keep pieces
//! from wrapping around. Moves are four masks of the squares moved to, one per direction;
//! two masks share a word, one of them shifted to the light squares.

use super::bits::Bits;
use super::position::Position;
use std::hint::select_unpredictable as select;

pub const DARK: u64 = 0x55aa_55aa_55aa_55aa_u64.swap_bytes();
pub const FAR_RANKS: u64 = 0xff00_0000_0000_00ff;
const LONGEST_IDLE: u32 = 80;

/// From a dark square to a light one that no other dark square shares.
#[inline(always)]
pub fn to_light(dark: u64) -> u64 {
    dark.rotate_left(8)
}

/// A board and whose turn it is.
#[derive(Clone, Copy)]
pub struct Checkers {
    own: u64,
    other: u64,
    kings: u64,
    /// The pieces that may move: the one that has just jumped, or all.
    free: u64,
    /// All squares if the player to move goes up (black, the first), none if down.
    up: u64,
    /// Plies without a capture or a man's move.
    idle: u32,
}

/// Where pieces can go.
#[derive(Clone, Copy)]
pub struct Moves {
    /// North-east on dark squares, north-west on light ones.
    north: u64,
    /// South-east on dark squares, south-west on light ones.
    south: u64,
    /// Whether they are jumps.
    jumps: bool,
}

/// The dark squares where the pieces `up` arrive in one step north-east and
/// north-west, `down` south-east and south-west, if they are `onto`.
#[inline(always)]
pub fn steps(up: u64, down: u64, onto: u64) -> [u64; 4] {
    [up << 9, up << 7, down >> 7, down >> 9].map(|squares| squares & onto)
}

/// The same for jumps: two steps on, over `other`.
#[inline(always)]
pub fn jumps(up: u64, down: u64, other: u64, onto: u64) -> [u64; 4] {
    let [north_east, north_west, south_east, south_west] = steps(up, down, other);
    [
        north_east << 9,
        north_west << 7,
        south_east >> 7,
        south_west >> 9,
    ]
    .map(|squares| squares & onto)
}

impl Checkers {
    /// Of these pieces of its own, those that may go up, and those that may go down.
    #[inline(always)]
    fn directions(&self, pieces: u64, kings: u64) -> (u64, u64) {
        (pieces & (kings | self.up), pieces & (kings | !self.up))
    }

    fn empty(&self) -> u64 {
        DARK & !(self.own | self.other)
    }
}

impl Position for Checkers {
    type Moves = Moves;

    /// The player who moves first goes up.
    fn start<const EVEN: bool>() -> Self {
        Self {
            own: DARK & 0xff_ffff,
            other: DARK & 0xff_ffff << 40,
            kings: 0,
            free: u64::MAX,
            up: u64::MAX,
            idle: 0,
        }
    }

    #[inline(always)]
    fn moves<const EVEN: bool>(&self) -> Option<Moves> {
        let empty = self.empty();
        let (up, down) = self.directions(self.own & self.free, self.kings);
        let jumps = jumps(up, down, self.other, empty);
        let steps = steps(up, down, empty);
        let jumping = jumps[0] | jumps[1] | jumps[2] | jumps[3] != 0;
        let pair = |east: usize| {
            let word = |moves: [u64; 4]| moves[east] | to_light(moves[east + 1]);
            select(jumping, word(jumps), word(steps))
        };
        let moves = Moves {
            north: pair(0),
            south: pair(2),
            jumps: jumping,
        };
        let over = moves.north | moves.south == 0 || self.idle == LONGEST_IDLE;
        (!over).then_some(moves)
    }

    #[inline(always)]
    fn count(moves: &Moves) -> u32 {
        moves.north.count_ones() + moves.south.count_ones()
    }

    #[inline(always)]
    fn make<const EVEN: bool>(&mut self, moves: &Moves, number: u32, bits: impl Bits) {
        let north = moves.north.count_ones();
        let south = number >= north;
        let number = number - select(south, north, 0);
        let place = bits.nth(select(south, moves.south, moves.north), number);
        let west = place & DARK == 0;
        let to = place.rotate_right(8 * u32::from(west));
        // 9 and 7 squares up, 7 and 9 squares down.
        let distance = (9 - 2 * i32::from(west) - 16 * i32::from(south)) as u32;
        let near = to.rotate_right(distance & 63);
        let over = select(moves.jumps, near, 0);
        let from = select(moves.jumps, near.rotate_right(distance & 63), near);
        let crowned = select(from & self.kings != 0, u64::MAX, 0);

        let (up, down) = self.directions(to, crowned);
        let again = jumps(up, down, self.other & !over, self.empty());
        let again = again[0] | again[1] | again[2] | again[3] != 0 && moves.jumps;
        let own = self.own ^ from ^ to;
        let other = self.other & !over;
        *self = Self {
            own: select(again, own, other),
            other: select(again, other, own),
            kings: self.kings & !(from | over) | to & (crowned | FAR_RANKS),
            free: select(again, to, u64::MAX),
            up: select(again, self.up, !self.up),
            idle: select(crowned != 0 && !moves.jumps, self.idle + 1, 0),
        };
    }

    /// A player who has no move has lost; anything else is a draw.
    fn first_goal(&self, _plies: u64) -> u64 {
        let (up, down) = self.directions(self.own & self.free, self.kings);
        let empty = self.empty();
        let moves = steps(up, down, empty)
            .into_iter()
            .chain(jumps(up, down, self.other, empty));
        match (moves.fold(0, |all, squares| all | squares), self.up) {
            (0, 0) => 100,
            (0, _) => 0,
            _ => 50,
        }
    }
}
