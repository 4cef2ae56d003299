//! Lane words: one bit of many games side by side.
//!
//! A [`Word`] holds one proposition for as many games as it has bits (lanes).
//! Everything above is written once, generic over the word; the widths differ
//! in the instructions they compile to. This module and its children are where
//! the crate's `unsafe` for vector instructions lives: a value of a vector word
//! can only be made by [`Word::splat`], whose caller vouches for the processor,
//! so whoever holds one may use the instructions.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub use x86::{Word256, Word512};

use std::fmt;

/// A row of lanes.
pub trait Word: Copy + Send + Sync + 'static {
    /// The number of lanes, a multiple of 64.
    const LANES: usize;

    /// Whether this machine has the instructions.
    fn available() -> bool;

    /// The same bit in all lanes.
    ///
    /// # Safety
    /// [`available`](Self::available) must hold.
    #[allow(unsafe_code)]
    unsafe fn splat(bit: bool) -> Self;

    /// The function of three bits whose value for `a`, `b`, `c` is bit
    /// `4a + 2b + c` of `TRUTH` (0 to 255), in every lane.
    fn lut3<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self;

    /// Adds as lanes of 64-bit numbers, wrapping.
    fn add64(self, other: Self) -> Self;

    /// Shifts 64-bit numbers left.
    fn shl64<const BITS: u32>(self) -> Self;

    /// Rotates 64-bit numbers left.
    fn rotl64<const BITS: u32>(self) -> Self;

    /// The lanes as 64-bit words, lane 0 in the lowest bit of the first.
    fn words(&self) -> &[u64];

    /// The lanes as 64-bit words, to be changed.
    fn words_mut(&mut self) -> &mut [u64];

    /// Whether no lane is set.
    fn is_zero(self) -> bool;

    /// These 64 lanes again and again; `self` proves the instructions.
    fn repeat(self, lanes: u64) -> Self;

    /// Runs a kernel compiled for this width's instructions.
    fn run<K: Kernel>(kernel: K, proof: Self) -> K::Output;

    /// `self & other`.
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::lut3::<0b1100_0000>(self, other, other)
    }

    /// `self | other`.
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::lut3::<0b1111_1100>(self, other, other)
    }

    /// `self ^ other`.
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::lut3::<0b0011_1100>(self, other, other)
    }

    /// `self & !other`.
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self::lut3::<0b0011_0000>(self, other, other)
    }

    /// `if self { yes } else { no }` in every lane.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self::lut3::<0b1100_1010>(self, yes, no)
    }

    /// Whether a lane is set.
    #[inline(always)]
    fn lane(&self, lane: usize) -> bool {
        self.words()[lane / 64] >> (lane % 64) & 1 != 0
    }

    /// Sets or clears a lane.
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, bit: bool) {
        let word = &mut self.words_mut()[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(bit) << (lane % 64);
    }

    /// The number of lanes set.
    #[inline(always)]
    fn count(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `visit` with every set lane, ascending.
    #[inline(always)]
    fn for_each_lane(&self, mut visit: impl FnMut(usize)) {
        for (index, &word) in self.words().iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                visit(index * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }
}

/// Work that is worth compiling for each width: its `run` must be
/// `#[inline(always)]`, so that it is compiled inside a function that has the
/// instructions.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// The lane widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// 64 lanes in a general register: runs everywhere.
    W64,
    /// 256 lanes: AVX2.
    W256,
    /// 512 lanes: AVX-512.
    W512,
}

impl Width {
    /// All widths, narrowest first.
    pub const ALL: [Self; 3] = [Self::W64, Self::W256, Self::W512];

    /// The number of lanes.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::W64 => 64,
            Self::W256 => 256,
            Self::W512 => 512,
        }
    }

    /// Whether this machine has the instructions.
    #[must_use]
    pub fn available(self) -> bool {
        match self {
            Self::W64 => true,
            #[cfg(target_arch = "x86_64")]
            Self::W256 => Word256::available(),
            #[cfg(target_arch = "x86_64")]
            Self::W512 => Word512::available(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The widest that this machine has.
    #[must_use]
    pub fn widest() -> Self {
        Self::ALL
            .into_iter()
            .rfind(|width| width.available())
            .unwrap_or(Self::W64)
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.lanes())
    }
}

impl Word for u64 {
    const LANES: usize = 64;

    fn available() -> bool {
        true
    }

    #[allow(unsafe_code)]
    #[inline(always)]
    unsafe fn splat(bit: bool) -> Self {
        if bit { !0 } else { 0 }
    }

    #[inline(always)]
    fn lut3<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self {
        lut3_from_gates::<Self, TRUTH>(a, b, c)
    }

    #[inline(always)]
    fn add64(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn shl64<const BITS: u32>(self) -> Self {
        self << BITS
    }

    #[inline(always)]
    fn rotl64<const BITS: u32>(self) -> Self {
        self.rotate_left(BITS)
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(self)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn repeat(self, lanes: u64) -> Self {
        lanes
    }

    #[inline(always)]
    fn run<K: Kernel>(kernel: K, _: Self) -> K::Output {
        kernel.run()
    }
}

/// The gates that words without a three-input instruction have.
trait Gates: Copy {
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

/// The gates of a two-input table that is known when this is compiled; bit
/// `2p + q` of the table for inputs `p`, `q`.
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
/// optimiser sees them: games have many thousands of tables.
#[inline(always)]
fn lut3_from_gates<W: Gates, const TRUTH: i32>(a: W, b: W, c: W) -> W {
    let (x, p, q) = match const { Expansion::of(TRUTH).input } {
        0 => (a, b, c),
        1 => (b, a, c),
        _ => (c, a, b),
    };
    match const { Expansion::of(TRUTH).form } {
        Form::Without => lut2!(Expansion::of(TRUTH).low, p, q),
        Form::And => x.gate_and(lut2!(Expansion::of(TRUTH).high, p, q)),
        Form::Or => x.gate_or(lut2!(Expansion::of(TRUTH).low, p, q)),
        Form::NotAnd => x.gate_not().gate_and(lut2!(Expansion::of(TRUTH).low, p, q)),
        Form::NotOr => x.gate_not().gate_or(lut2!(Expansion::of(TRUTH).high, p, q)),
        Form::Xor => x.gate_xor(lut2!(Expansion::of(TRUTH).low, p, q)),
        Form::Mixed => {
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
    form: Form,
}

/// See [`Expansion`].
#[derive(Clone, Copy)]
enum Form {
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
    /// The cheapest one.
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
        let form = if low == high {
            Form::Without
        } else if low == 0 {
            Form::And
        } else if high == 0b1111 {
            Form::Or
        } else if high == 0 {
            Form::NotAnd
        } else if low == 0b1111 {
            Form::NotOr
        } else if low == high ^ 0b1111 {
            Form::Xor
        } else {
            Form::Mixed
        };
        Self {
            input,
            low,
            high,
            form,
        }
    }

    const fn difference(self) -> i32 {
        self.low ^ self.high
    }

    /// Gates that it takes.
    const fn cost(self) -> u32 {
        match self.form {
            Form::Without => lut2_cost(self.low),
            Form::And => 1 + lut2_cost(self.high),
            Form::Or | Form::Xor => 1 + lut2_cost(self.low),
            Form::NotAnd => 2 + lut2_cost(self.low),
            Form::NotOr => 2 + lut2_cost(self.high),
            Form::Mixed => 2 + lut2_cost(self.low) + lut2_cost(self.difference()),
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

/// Gates that a two-input table takes.
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
    use super::*;

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
        #[cfg(target_arch = "x86_64")]
        {
            tables_hold::<Word256>();
            tables_hold::<Word512>();
        }
    }
}
