//! Connect four on `COLUMNS` columns of six rows: seven as in
//! games/connect_four.kif, eight as in the public rule sheet.
//!
//! Seven bits per column, the lowest row first, the seventh always 0: adding the
//! bottom row to the occupied cells gives the free cell of each column.

use super::bits::Bits;
use super::position::Position;

/// The discs of the player to move and of the other one.
#[derive(Clone, Copy)]
pub struct ConnectFour<const COLUMNS: u32> {
    own: u64,
    other: u64,
}

impl<const COLUMNS: u32> ConnectFour<COLUMNS> {
    const BOTTOM: u64 = {
        let mut bottom = 0;
        let mut column = 0;
        while column < COLUMNS {
            bottom |= 1 << (7 * column);
            column += 1;
        }
        bottom
    };
    const BOARD: u64 = Self::BOTTOM * 0x3f;
}

/// Whether four discs are in a line.
#[inline(always)]
fn has_line(discs: u64) -> bool {
    let line = |step: u32| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(6) | line(7) | line(8) != 0
}

impl<const COLUMNS: u32> Position for ConnectFour<COLUMNS> {
    /// The free cells on which a disc can come to rest.
    type Moves = u64;

    fn start<const EVEN: bool>() -> Self {
        Self { own: 0, other: 0 }
    }

    #[inline(always)]
    fn moves<const EVEN: bool>(&self) -> Option<u64> {
        let free = ((self.own | self.other) + Self::BOTTOM) & Self::BOARD;
        (free != 0 && !has_line(self.other)).then_some(free)
    }

    #[inline(always)]
    fn count(free: &u64) -> u32 {
        free.count_ones()
    }

    #[inline(always)]
    fn make<const EVEN: bool>(&mut self, free: &u64, number: u32, bits: impl Bits) {
        *self = Self {
            own: self.other,
            other: self.own | bits.nth(*free, number),
        };
    }

    /// The player to move has lost, unless the board is full without a line.
    fn first_goal(&self, plies: u64) -> u64 {
        match has_line(self.other) {
            true => 100 * (plies & 1),
            false => 50,
        }
    }
}
