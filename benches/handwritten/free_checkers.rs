//! Draughts as in the public rule sheet `checkers`: captures are optional, two or three
//! jumps can be one move, and after 101 plies, or when a player has no move, the player
//! with more pieces wins.
//!
//! Boards and words of moves are those of [`super::checkers`]. Moves of several jumps are
//! rare; they are enumerated one by one, and only when there are some.

use super::bits::Bits;
use super::checkers::{DARK, FAR_RANKS, jumps, steps, to_light};
use super::position::Position;
use std::hint::select_unpredictable as select;

const LAST_PLY: u32 = 101;

/// A board and whose turn it is.
#[derive(Clone, Copy)]
pub struct FreeCheckers {
    own: u64,
    other: u64,
    kings: u64,
    /// All squares if the player to move goes up (red, the first), none if down.
    up: u64,
    plies: u32,
}

/// Where pieces can go: words for north and south, with east on dark squares and
/// west on light ones.
#[derive(Clone, Copy)]
pub struct Moves {
    steps: [u64; 2],
    jumps: [u64; 2],
    /// Moves of two and three jumps.
    chains: u32,
}

/// Directions, in the order of the masks: `d` and `3 - d` are opposite.
const DIRECTIONS: usize = 4;

/// A move of several jumps.
struct Chain {
    from: u64,
    over: u64,
    to: u64,
}

/// A mask for each direction as two words.
#[inline(always)]
fn pack(masks: [u64; 4]) -> [u64; 2] {
    let [north_east, north_west, south_east, south_west] = masks;
    [
        north_east | to_light(north_west),
        south_east | to_light(south_west),
    ]
}

fn ones(words: [u64; 2]) -> u32 {
    words[0].count_ones() + words[1].count_ones()
}

/// Squares one step back from where a direction leads.
#[inline(always)]
fn back(squares: u64, north: bool, east: bool) -> u64 {
    // 9 and 7 squares up, 7 and 9 squares down.
    let distance = 7 + 2 * u32::from(north == east);
    squares.rotate_right(if north { distance } else { 64 - distance })
}

impl FreeCheckers {
    fn empty(&self) -> u64 {
        DARK & !(self.own | self.other)
    }

    /// Where these pieces arrive by one more jump in a direction.
    fn jumped(&self, pieces: u64, direction: usize) -> u64 {
        jumps(pieces, pieces, self.other, self.empty())[direction]
    }

    /// Calls `visit` with the squares where moves of several jumps end, all those
    /// that take the same directions together, until it says that it has enough.
    fn for_each_chain(&self, mut visit: impl FnMut(u64, &[usize]) -> bool) {
        let forward = if self.up == 0 { 2..4 } else { 0..2 };
        for (pieces, directions) in [
            (self.own & !self.kings, forward),
            (self.own & self.kings, 0..DIRECTIONS),
        ] {
            let turns = |last: usize| {
                let directions = directions.clone();
                directions.filter(move |direction| direction + last != 3)
            };
            for first in directions.clone() {
                let once = self.jumped(pieces, first);
                for second in turns(first) {
                    let twice = self.jumped(once, second);
                    if twice == 0 {
                        continue;
                    }
                    if visit(twice, &[first, second]) {
                        return;
                    }
                    for third in turns(second) {
                        let thrice = self.jumped(twice, third);
                        if visit(thrice, &[first, second, third]) {
                            return;
                        }
                    }
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn count_chains(&self) -> u32 {
        let mut count = 0;
        self.for_each_chain(|ends, _| {
            count += ends.count_ones();
            false
        });
        count
    }

    /// The move of several jumps with this number.
    #[cold]
    #[inline(never)]
    fn chain(&self, mut number: u32, bits: impl Bits) -> Chain {
        let mut chain = Chain {
            from: 0,
            over: 0,
            to: 0,
        };
        self.for_each_chain(|ends, directions| {
            let here = ends.count_ones();
            if number >= here {
                number -= here;
                return false;
            }
            chain.to = bits.nth(ends, number);
            chain.from = chain.to;
            for direction in directions.iter().rev() {
                let (north, east) = (*direction < 2, direction % 2 == 0);
                let over = back(chain.from, north, east);
                chain.over |= over;
                chain.from = back(over, north, east);
            }
            true
        });
        chain
    }

    /// Moves a piece and gives the turn to the other player.
    #[inline(always)]
    fn apply(&mut self, Chain { from, over, to }: Chain) {
        let crowned = select(from & self.kings != 0, u64::MAX, 0);
        *self = Self {
            own: self.other & !over,
            other: self.own ^ from ^ to,
            kings: self.kings & !(from | over) | to & (crowned | FAR_RANKS),
            up: !self.up,
            plies: self.plies + 1,
        };
    }
}

impl Position for FreeCheckers {
    type Moves = Moves;

    /// The player who moves first goes up.
    fn start<const EVEN: bool>() -> Self {
        Self {
            own: DARK & 0xff_ffff,
            other: DARK & 0xff_ffff << 40,
            kings: 0,
            up: u64::MAX,
            plies: 0,
        }
    }

    #[inline(always)]
    fn moves<const EVEN: bool>(&self) -> Option<Moves> {
        let empty = self.empty();
        let up = self.own & (self.kings | self.up);
        let down = self.own & (self.kings | !self.up);
        let once = jumps(up, down, self.other, empty);
        let landed = once[0] | once[1] | once[2] | once[3];
        // The way back is blocked: the piece still stands there.
        let twice = jumps(landed, landed, self.other, empty);
        let moves = Moves {
            steps: pack(steps(up, down, empty)),
            jumps: pack(once),
            chains: match twice[0] | twice[1] | twice[2] | twice[3] {
                0 => 0,
                _ => self.count_chains(),
            },
        };
        let any = moves.steps[0] | moves.steps[1] | landed;
        (any != 0 && self.plies < LAST_PLY).then_some(moves)
    }

    #[inline(always)]
    fn count(moves: &Moves) -> u32 {
        ones(moves.steps) + ones(moves.jumps) + moves.chains
    }

    #[inline(always)]
    fn make<const EVEN: bool>(&mut self, moves: &Moves, number: u32, bits: impl Bits) {
        let steps = ones(moves.steps);
        let simple = steps + ones(moves.jumps);
        if number >= simple {
            self.apply(self.chain(number - simple, bits));
            return;
        }
        let jumping = number >= steps;
        let number = number - select(jumping, steps, 0);
        let north = select(jumping, moves.jumps[0], moves.steps[0]);
        let south = select(jumping, moves.jumps[1], moves.steps[1]);
        let norths = north.count_ones();
        let southward = number >= norths;
        let number = number - select(southward, norths, 0);
        let place = bits.nth(select(southward, south, north), number);
        let west = place & DARK == 0;
        let to = place.rotate_right(8 * u32::from(west));
        let near = back(to, !southward, !west);
        self.apply(Chain {
            from: select(jumping, back(near, !southward, !west), near),
            over: select(jumping, near, 0),
            to,
        });
    }

    fn first_goal(&self, _plies: u64) -> u64 {
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        let (first, second) = match self.up {
            0 => (other, own),
            _ => (own, other),
        };
        50 + 50 * u64::from(first > second) - 50 * u64::from(first < second)
    }
}
