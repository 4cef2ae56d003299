//! Lane words: one bit of many games side by side.
//!
//! A [`Word`] holds one proposition for as many games as it has bits (lanes).
//! All code built on words is generic over them; the widths differ in the
//! instructions they compile to. The crate's `unsafe` code for vector
//! instructions is in this module and its children: the only source of vector
//! words is [`Word::splat`], whose caller guarantees that the processor has the
//! instructions, so the existence of a word proves that they may be used.

mod level;
mod lut;
#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod machine_words;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_vectors.rs"]
mod machine_words;
mod portable;
mod width;

pub use level::{CpuLevel, UnusableLevel};
pub use machine_words::{Word128, Word256, Word512};
pub use portable::{Portable128, Portable256};
pub use width::Width;

use lut::lut3_from_gates;

/// The largest number that [`Word::square_product`] distinguishes from larger ones.
pub const LARGEST_NUMBER: i16 = (1 << 14) - 1;

/// A row of lanes, one bit per lane.
pub trait Word: Copy + Send + Sync + 'static {
    /// The number of lanes, a multiple of 64.
    const LANES: usize;

    /// Whether this processor has the instructions, and [`CpuLevel::GDL_CPU`] allows them.
    fn available() -> bool;

    /// The same bit in all lanes.
    ///
    /// # Safety
    /// [`available`](Self::available) must hold.
    #[allow(unsafe_code)]
    unsafe fn splat(bit: bool) -> Self;

    /// No lane set; `None` if this processor lacks the instructions.
    #[must_use]
    fn zero() -> Option<Self> {
        // SAFETY: the word is available.
        #[allow(unsafe_code)]
        Self::available().then(|| unsafe { Self::splat(false) })
    }

    /// The function of three bits whose value for `a`, `b`, `c` is bit
    /// `4a + 2b + c` of `TRUTH` (0 to 255), in every lane.
    fn lut3<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self;

    /// Adds 64-bit numbers pairwise, wrapping.
    fn add64(self, other: Self) -> Self;

    /// Shifts 64-bit numbers left.
    fn shl64<const BITS: u32>(self) -> Self;

    /// Rotates 64-bit numbers left.
    fn rotl64<const BITS: u32>(self) -> Self;

    /// The lanes as 64-bit words, lane 0 in the lowest bit of the first.
    fn words(&self) -> &[u64];

    /// The lanes as mutable 64-bit words, in the same order.
    fn words_mut(&mut self) -> &mut [u64];

    /// Whether no lane is set.
    fn is_zero(self) -> bool;

    /// These 64 lanes repeated over the whole word; `self` proves the instructions.
    fn repeat(self, lanes: u64) -> Self;

    /// The sum of `x (q x / 2^15 + l)` over these numbers x, a multiple of 16 of them, with the
    /// factors q of `squares` and l of `linear`. Numbers are clamped to the range from 0 to
    /// [`LARGEST_NUMBER`], `q x / 2^15` is rounded, and sums wrap; `self` proves the
    /// instructions.
    #[inline(always)]
    fn square_product<const N: usize>(
        self,
        numbers: &[i16; N],
        squares: &[i16; N],
        linear: &[i16; N],
    ) -> i32 {
        let product = |((&number, &square), &linear): ((&i16, &i16), &i16)| {
            let number = number.clamp(0, LARGEST_NUMBER);
            let scaled = (i32::from(number) * i32::from(square) + (1 << 14)) >> 15;
            let factor = (scaled as i16).wrapping_add(linear);
            i32::from(number) * i32::from(factor)
        };
        let products = numbers.iter().zip(squares).zip(linear).map(product);
        products.fold(0, i32::wrapping_add)
    }

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
/// instructions. `kernel!` writes implementations.
pub trait Kernel {
    /// The type of the result.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Defines a function as a [`Kernel`]: its body is compiled for the instructions of
/// each width, as a function of its own. The arguments at the call are preceded by a
/// word, which proves that the processor has the instructions.
macro_rules! kernel {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident<$life:lifetime, $word:ident $(, const $count:ident: usize)?>(
            $($field:ident: $type:ty),* $(,)?
        ) $(-> $output:ty)? $body:block
    ) => {
        $(#[$attribute])*
        #[inline(always)]
        $visibility fn $name<$life, $word: $crate::lanes::Word $(, const $count: usize)?>(
            proof: $word,
            $($field: $type),*
        ) $(-> $output)? {
            struct Arguments<$life, $word $(, const $count: usize)?> {
                $($field: $type),*
            }

            impl<$life, $word: $crate::lanes::Word $(, const $count: usize)?>
                $crate::lanes::Kernel for Arguments<$life, $word $(, $count)?>
            {
                #[allow(unused_parens)]
                type Output = ($($output)?);

                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Self { $($field),* } = self;
                    $body
                }
            }

            $word::run(Arguments { $($field),* }, proof)
        }
    };
}
pub(crate) use kernel;

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
