//! Drawing numbers below a bound, exactly uniformly: in all lanes at once, or one
//! after another.

use crate::lanes::{Word, kernel};
use crate::random::Random;

/// The maximum number of bits of a rank: enough for more candidates than grounding
/// allows.
pub const MOST_BITS: usize = 24;

/// Draws a number below its count for every lane, uniformly.
///
/// `count` holds the counts and `rank` receives the numbers, both as rows of bits,
/// lowest first; `rank` has as many rows as `count - 1` can need, and at most
/// [`MOST_BITS`]. Lanes whose count is zero get an arbitrary number.
///
/// Random bits are masked to the length of `count - 1`, and lanes in which they
/// exceed it are drawn again, so no rank is more likely than another.
#[inline(always)]
pub fn draw_ranks<W: Word>(count: &[W], rank: &mut [W], random: &mut Random<W>) {
    last_ranks(count, rank);
    macro_rules! draw_bits {
        ($($bits:literal)*) => {
            match bits_in_use(rank) {
                0 => {}
                $($bits => if let Some(rank) = rank.first_chunk_mut::<$bits>() {
                    draw_below(rank[0], rank, random);
                },)*
                _ => unreachable!("grounding bounds the number of candidates"),
            }
        };
    }
    draw_bits!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
}

/// Writes `count - 1` to `last`, bit by bit, and 0 where the count is zero.
#[inline(always)]
fn last_ranks<W: Word>(count: &[W], last: &mut [W]) {
    let Some(&first) = count.first() else { return };
    let any = count[1..].iter().fold(first, |any, &row| any.or(row));
    let mut borrow = any;
    for (bit, &row) in last.iter_mut().zip(count) {
        *bit = row.xor(borrow);
        borrow = borrow.and_not(row);
    }
}

/// The number of bits of the largest number of any lane.
#[inline(always)]
fn bits_in_use<W: Word>(number: &[W]) -> usize {
    let unused = number.iter().rev().take_while(|row| row.is_zero());
    number.len() - unused.count()
}

kernel! {
    /// Replaces numbers by ranks from 0 to these numbers. A function of its own for
    /// each number of bits, in which the rows live in registers.
    fn draw_below<'a, W, const BITS: usize>(rank: &'a mut [W; BITS], random: &'a mut Random<W>) {
        let last = *rank;
        let mut numbers = random.clone();
        let mut mask = last;
        for bit in (1..BITS).rev() {
            mask[bit - 1] = mask[bit - 1].or(mask[bit]);
        }
        let mut pending = mask[0];
        let mut drawn_rank = last;
        while !pending.is_zero() {
            let mut exceeds = pending.xor(pending);
            for bit in 0..BITS {
                let drawn = numbers.row().and(mask[bit]);
                drawn_rank[bit] = pending.select(drawn, drawn_rank[bit]);
                // drawn > last so far: decided by this bit unless equal in it. This does not wait
                // for `pending`, so that the processor can begin the next draw.
                exceeds = W::lut3::<0b1011_0010>(drawn, last[bit], exceeds);
            }
            pending = pending.and(exceeds);
        }
        *rank = drawn_rank;
        *random = numbers;
    }
}

/// Draws numbers one after another from random rows.
pub struct SequentialDraw<'a, W> {
    random: &'a mut Random<W>,
    row: W,
    /// The number of unused 32-bit numbers in the row.
    left: usize,
}

impl<'a, W: Word> SequentialDraw<'a, W> {
    /// Starts with the next random row.
    #[inline(always)]
    pub fn new(random: &'a mut Random<W>) -> Self {
        Self {
            row: random.row(),
            left: W::LANES / 32,
            random,
        }
    }

    /// A number of 32 fair bits.
    #[inline(always)]
    fn draw(&mut self) -> u32 {
        if self.left == 0 {
            self.row = self.random.row();
            self.left = W::LANES / 32;
        }
        self.left -= 1;
        (self.row.words()[self.left / 2] >> (self.left % 2 * 32)) as u32
    }

    /// A number below a bound that is not 0 (Lemire, "Fast Random Integer Generation
    /// in an Interval", 2019).
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            let product = u64::from(self.draw()) * u64::from(bound);
            // Rejects the products that would favour some numbers.
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }
}
