//! Drawing a rank below a count, exactly uniformly, in every lane at once.

use crate::lanes::Word;
use crate::random::Random;

/// The most bits that a count can have: 2^24 candidates are far beyond what
/// grounding allows.
const MOST_BITS: usize = 24;

/// Draws for every lane a number below its count, uniformly.
///
/// `count` holds the counts and `rank` takes the numbers, bit rows, lowest
/// first; `rank` has as many rows as `count - 1` needs at most. Lanes whose
/// count is zero get any number.
///
/// Random bits are masked to the length of `count - 1` and lanes in which they
/// exceed it are drawn again, so that no rank is more likely than another.
#[inline(always)]
pub fn draw_ranks<W: Word>(count: &[W], rank: &mut [W], random: &mut Random<W>) {
    let Some(&first) = count.first() else { return };
    let bits = rank.len();
    let zero = first.xor(first);
    let mut last = [zero; MOST_BITS];
    let mut mask = [zero; MOST_BITS];
    last_rank(count, &mut last[..bits]);
    let mut above = zero;
    for bit in (0..bits).rev() {
        above = above.or(last[bit]);
        mask[bit] = above;
    }
    let mut pending = above;
    rank.fill(zero);
    while !pending.is_zero() {
        let mut exceeds = zero;
        for bit in 0..bits {
            let drawn = random.row().and(mask[bit]);
            rank[bit] = pending.select(drawn, rank[bit]);
            // rank > last so far: decided by this bit unless equal in it.
            exceeds = W::lut3::<0b1011_0010>(rank[bit], last[bit], exceeds);
        }
        pending = pending.and(exceeds);
    }
}

/// `count - 1`, bit by bit.
#[inline(always)]
fn last_rank<W: Word>(count: &[W], last: &mut [W]) {
    let Some(&first) = count.first() else { return };
    let zero = first.xor(first);
    let mut borrow = W::lut3::<0xff>(zero, zero, zero);
    for (bit, &row) in last.iter_mut().zip(count) {
        *bit = row.xor(borrow);
        borrow = borrow.and_not(row);
    }
}
