//! 128 and 256 lanes as arrays of numbers, on every processor.
//!
//! Compilers turn operations on them into those vector instructions that all processors
//! of an architecture have.

use super::lut::{Gates, lut3_from_gates};
use super::{Kernel, Word};

macro_rules! portable_word {
    ($(#[$doc:meta])* $word:ident, $align:literal, $numbers:literal: $($index:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C, align($align))]
        pub struct $word([u64; $numbers]);

        impl $word {
            // Without a loop: thousands of them take a compiler more than a minute.
            #[inline(always)]
            fn with(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
                Self([$(operation(self.0[$index], other.0[$index])),*])
            }
        }

        impl Word for $word {
            const LANES: usize = 64 * $numbers;

            fn available() -> bool {
                true
            }

            #[allow(unsafe_code)]
            #[inline(always)]
            unsafe fn splat(bit: bool) -> Self {
                Self([if bit { !0 } else { 0 }; $numbers])
            }

            #[inline(always)]
            fn lut3<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self {
                lut3_from_gates::<Self, TRUTH>(a, b, c)
            }

            #[inline(always)]
            fn add64(self, other: Self) -> Self {
                self.with(other, u64::wrapping_add)
            }

            #[inline(always)]
            fn shl64<const BITS: u32>(self) -> Self {
                self.with(self, |number, _| number << BITS)
            }

            #[inline(always)]
            fn rotl64<const BITS: u32>(self) -> Self {
                self.with(self, |number, _| number.rotate_left(BITS))
            }

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                &mut self.0
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                self.0.into_iter().fold(0, |all, number| all | number) == 0
            }

            #[inline(always)]
            fn repeat(self, lanes: u64) -> Self {
                Self([lanes; $numbers])
            }

            #[inline(always)]
            fn run<K: Kernel>(kernel: K, _: Self) -> K::Output {
                kernel.run()
            }
        }

        impl Gates for $word {
            #[inline(always)]
            fn gate_and(self, other: Self) -> Self {
                self.with(other, |one, other| one & other)
            }
            #[inline(always)]
            fn gate_or(self, other: Self) -> Self {
                self.with(other, |one, other| one | other)
            }
            #[inline(always)]
            fn gate_xor(self, other: Self) -> Self {
                self.with(other, |one, other| one ^ other)
            }
            #[inline(always)]
            fn gate_not(self) -> Self {
                self.with(self, |number, _| !number)
            }
        }
    };
}

portable_word!(
    /// 128 lanes.
    Portable128,
    16,
    2: 0 1
);
portable_word!(
    /// 256 lanes.
    Portable256,
    32,
    4: 0 1 2 3
);
