//! Functions of three bits from gates of two, for words without an instruction for
//! the whole.

/// The gates of words without a three-input instruction.
pub(super) trait Gates: Copy {
    fn gate_and(self, other: Self) -> Self;
    fn gate_or(self, other: Self) -> Self;
    fn gate_xor(self, other: Self) -> Self;
    fn gate_not(self) -> Self;
}

impl Gates for u64 {
    #[inline(always)]
    fn gate_and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn gate_or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn gate_xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn gate_not(self) -> Self {
        !self
    }
}

/// The gates of a two-input truth table that is a constant; bit `2p + q` of the
/// table for inputs `p`, `q`.
macro_rules! lut2 {
    ($truth:expr, $p:ident, $q:ident) => {
        match const { $truth } {
            0b0000 => $p.gate_xor($p),
            0b0001 => $p.gate_or($q).gate_not(),
            0b0010 => $p.gate_not().gate_and($q),
            0b0011 => $p.gate_not(),
            0b0100 => $p.gate_and($q.gate_not()),
            0b0101 => $q.gate_not(),
            0b0110 => $p.gate_xor($q),
            0b0111 => $p.gate_and($q).gate_not(),
            0b1000 => $p.gate_and($q),
            0b1001 => $p.gate_xor($q).gate_not(),
            0b1010 => $q,
            0b1011 => $p.gate_not().gate_or($q),
            0b1100 => $p,
            0b1101 => $p.gate_or($q.gate_not()),
            0b1110 => $p.gate_or($q),
            _ => $p.gate_xor($p).gate_not(),
        }
    };
}

/// Any function of three bits from two-input gates: a Shannon expansion on the
/// input for which it is simplest.
///
/// Every `match` is on a constant, so that only the gates are left before the
/// optimiser sees them: games have many thousands of truth tables.
#[inline(always)]
pub(super) fn lut3_from_gates<W: Gates, const TRUTH: i32>(a: W, b: W, c: W) -> W {
    let (x, p, q) = match const { Expansion::of(TRUTH).input } {
        0 => (a, b, c),
        1 => (b, a, c),
        _ => (c, a, b),
    };
    match const { Expansion::of(TRUTH).kind } {
        ExpansionKind::Without => lut2!(Expansion::of(TRUTH).low, p, q),
        ExpansionKind::And => x.gate_and(lut2!(Expansion::of(TRUTH).high, p, q)),
        ExpansionKind::Or => x.gate_or(lut2!(Expansion::of(TRUTH).low, p, q)),
        ExpansionKind::NotAnd => x.gate_not().gate_and(lut2!(Expansion::of(TRUTH).low, p, q)),
        ExpansionKind::NotOr => x.gate_not().gate_or(lut2!(Expansion::of(TRUTH).high, p, q)),
        ExpansionKind::Xor => x.gate_xor(lut2!(Expansion::of(TRUTH).low, p, q)),
        ExpansionKind::Mixed => {
            let changed = x.gate_and(lut2!(Expansion::of(TRUTH).difference(), p, q));
            changed.gate_xor(lut2!(Expansion::of(TRUTH).low, p, q))
        }
    }
}

/// How a three-input table is built from the two-input tables left when one
/// input is 0 (low) and when it is 1 (high).
#[derive(Clone, Copy)]
struct Expansion {
    input: usize,
    low: i32,
    high: i32,
    kind: ExpansionKind,
}

/// See [`Expansion`].
#[derive(Clone, Copy)]
enum ExpansionKind {
    /// The input does not matter.
    Without,
    /// `x & high`
    And,
    /// `x | low`
    Or,
    /// `!x & low`
    NotAnd,
    /// `!x | high`
    NotOr,
    /// `x ^ low`
    Xor,
    /// `(x & (low ^ high)) ^ low`
    Mixed,
}

impl Expansion {
    /// The cheapest expansion.
    const fn of(truth: i32) -> Self {
        let mut best = Self::on(truth, 0);
        let mut input = 1;
        while input < 3 {
            let other = Self::on(truth, input);
            if other.cost() < best.cost() {
                best = other;
            }
            input += 1;
        }
        best
    }

    const fn on(truth: i32, input: usize) -> Self {
        let (low, high) = cofactors(truth, input);
        let kind = if low == high {
            ExpansionKind::Without
        } else if low == 0 {
            ExpansionKind::And
        } else if high == 0b1111 {
            ExpansionKind::Or
        } else if high == 0 {
            ExpansionKind::NotAnd
        } else if low == 0b1111 {
            ExpansionKind::NotOr
        } else if low == high ^ 0b1111 {
            ExpansionKind::Xor
        } else {
            ExpansionKind::Mixed
        };
        Self {
            input,
            low,
            high,
            kind,
        }
    }

    const fn difference(self) -> i32 {
        self.low ^ self.high
    }

    /// The number of gates.
    const fn cost(self) -> u32 {
        match self.kind {
            ExpansionKind::Without => lut2_cost(self.low),
            ExpansionKind::And => 1 + lut2_cost(self.high),
            ExpansionKind::Or | ExpansionKind::Xor => 1 + lut2_cost(self.low),
            ExpansionKind::NotAnd => 2 + lut2_cost(self.low),
            ExpansionKind::NotOr => 2 + lut2_cost(self.high),
            ExpansionKind::Mixed => 2 + lut2_cost(self.low) + lut2_cost(self.difference()),
        }
    }
}

/// The two-input tables left when the given input is 0 and when it is 1; bit
/// `2p + q` for the other two inputs `p`, `q` in their order.
const fn cofactors(truth: i32, input: usize) -> (i32, i32) {
    let (mut low, mut high) = (0, 0);
    let mut pq = 0;
    while pq < 4 {
        let (p, q) = (pq >> 1, pq & 1);
        let (zero, one) = match input {
            0 => (p << 1 | q, 4 | p << 1 | q),
            1 => (p << 2 | q, p << 2 | 2 | q),
            _ => (p << 2 | q << 1, p << 2 | q << 1 | 1),
        };
        low |= (truth >> zero & 1) << pq;
        high |= (truth >> one & 1) << pq;
        pq += 1;
    }
    (low, high)
}

/// The number of gates of a two-input table.
const fn lut2_cost(truth: i32) -> u32 {
    match truth {
        0b1100 | 0b1010 => 0,
        0b0011 | 0b0101 | 0b1000 | 0b1110 | 0b0110 | 0b0000 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)]
    use super::super::{Portable128, Portable256, Word, Word128, Word256, Word512};

    fn tables_hold<W: Word>() {
        if !W::available() {
            return;
        }
        macro_rules! check {
            ($($truth:literal)*) => {$( check_one::<W, $truth>(); )*};
        }
        check!(0 1 2 3 5 6 7 8 0x0f 0x10 0x1b 0x1e 0x2a 0x33 0x3c 0x41 0x55 0x69 0x6a 0x78 0x7f 0x80
            0x81 0x88 0x96 0x99 0xa0 0xaa 0xac 0xb2 0xb8 0xc0 0xca 0xcc 0xd4 0xd8 0xe2 0xe8 0xea 0xf0
            0xf1 0xf8 0xfa 0xfc 0xfe 0xff);
    }

    fn check_one<W: Word, const TRUTH: i32>() {
        // SAFETY: the caller asked whether the word is available.
        let mut rows = [unsafe { W::splat(false) }; 3];
        for (position, row) in rows.iter_mut().enumerate() {
            for lane in 0..W::LANES {
                row.set_lane(lane, lane >> (2 - position) & 1 != 0);
            }
        }
        let result = W::lut3::<TRUTH>(rows[0], rows[1], rows[2]);
        for lane in 0..W::LANES {
            assert_eq!(
                result.lane(lane),
                TRUTH >> (lane & 7) & 1 != 0,
                "table {TRUTH:#x} lane {lane}"
            );
        }
    }

    #[test]
    fn three_input_tables_hold_at_every_width() {
        tables_hold::<u64>();
        tables_hold::<Portable128>();
        tables_hold::<Portable256>();
        tables_hold::<Word128>();
        tables_hold::<Word256>();
        tables_hold::<Word512>();
    }
}
