//! 128 lanes in SSE2, 256 in AVX2 and 512 in AVX-512 registers.
//!
//! Safety, for the whole file: every method takes or returns a word, and the first
//! word comes only from `splat`, whose caller guarantees the instructions. The views
//! as numbers are of plain old data of the same size.

#![allow(unsafe_code)]

use super::lut::{Gates, lut3_from_gates};
use super::{CpuLevel, Kernel, LARGEST_NUMBER, Word};
use std::arch::x86_64::*;

/// Expands to its first argument, which is for x86-64 alone; on other architectures a macro of
/// the same name expands to the second.
#[macro_export]
#[doc(hidden)]
macro_rules! on_x86_64 {
    ({ $($here:tt)* } else { $($elsewhere:tt)* }) => { $($here)* };
}

/// 128 lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Word128(__m128i);

/// 256 lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Word256(__m256i);

/// 512 lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Word512(__m512i);

impl Word128 {
    #[inline(always)]
    fn ternary<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self {
        lut3_from_gates::<Self, TRUTH>(a, b, c)
    }

    #[inline(always)]
    fn rotate<const BITS: u32>(self) -> Self {
        // SAFETY: see the head of the file.
        let right = unsafe { _mm_srl_epi64(self.0, _mm_cvtsi64_si128(64 - i64::from(BITS))) };
        self.shl64::<BITS>().or(Self(right))
    }

    #[inline(always)]
    fn nothing_set(self) -> bool {
        // SAFETY: see the head of the file.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())) == 0xffff }
    }

    #[inline(always)]
    fn squared<const N: usize>(
        self,
        numbers: &[i16; N],
        squares: &[i16; N],
        linear: &[i16; N],
    ) -> i32 {
        self.words()[0].square_product(numbers, squares, linear)
    }
}

impl Word256 {
    #[inline(always)]
    fn ternary<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self {
        lut3_from_gates::<Self, TRUTH>(a, b, c)
    }

    #[inline(always)]
    fn rotate<const BITS: u32>(self) -> Self {
        // SAFETY: see the head of the file.
        let right = unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi64_si128(64 - i64::from(BITS))) };
        self.shl64::<BITS>().or(Self(right))
    }

    #[inline(always)]
    fn nothing_set(self) -> bool {
        // SAFETY: see the head of the file.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn squared<const N: usize>(
        self,
        numbers: &[i16; N],
        squares: &[i16; N],
        linear: &[i16; N],
    ) -> i32 {
        // SAFETY: see the head of the file.
        unsafe { square_product(numbers, squares, linear) }
    }
}

impl Word512 {
    #[inline(always)]
    fn ternary<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm512_ternarylogic_epi64::<TRUTH>(a.0, b.0, c.0) })
    }

    #[inline(always)]
    fn rotate<const BITS: u32>(self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm512_rolv_epi64(self.0, _mm512_set1_epi64(i64::from(BITS))) })
    }

    #[inline(always)]
    fn nothing_set(self) -> bool {
        // SAFETY: see the head of the file.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn squared<const N: usize>(
        self,
        numbers: &[i16; N],
        squares: &[i16; N],
        linear: &[i16; N],
    ) -> i32 {
        // SAFETY: see the head of the file; AVX-512 includes AVX2.
        unsafe { square_product(numbers, squares, linear) }
    }
}

/// See [`Word::square_product`].
#[inline]
#[target_feature(enable = "avx2")]
fn square_product<const N: usize>(
    numbers: &[i16; N],
    squares: &[i16; N],
    linear: &[i16; N],
) -> i32 {
    const { assert!(N.is_multiple_of(16)) };
    let load = |numbers: &[i16; 16]| {
        // SAFETY: 256 bits are read from the array, which has as many.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    };
    let most = _mm256_set1_epi16(LARGEST_NUMBER);
    let products = |numbers: &[i16; 16], squares: &[i16; 16], linear: &[i16; 16]| {
        let rectified = _mm256_max_epi16(load(numbers), _mm256_setzero_si256());
        let limited = _mm256_min_epi16(rectified, most);
        let scaled = _mm256_mulhrs_epi16(limited, load(squares));
        _mm256_madd_epi16(limited, _mm256_add_epi16(scaled, load(linear)))
    };
    let (numbers, squares) = (numbers.as_chunks().0, squares.as_chunks().0);
    let numbers = numbers.iter().zip(squares).zip(linear.as_chunks().0);
    let mut eight = _mm256_setzero_si256();
    for ((numbers, squares), linear) in numbers {
        eight = _mm256_add_epi32(eight, products(numbers, squares, linear));
    }
    let upper = _mm256_extracti128_si256::<1>(eight);
    let four = _mm_add_epi32(_mm256_castsi256_si128(eight), upper);
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

macro_rules! vector_word {
    ($word:ident, $lanes:literal, $level:ident, $feature:tt, $splat:ident, $add:ident, $shl:ident) => {
        impl Word for $word {
            const LANES: usize = $lanes;

            fn available() -> bool {
                CpuLevel::$level.available()
            }

            #[inline(always)]
            unsafe fn splat(bit: bool) -> Self {
                // SAFETY: the caller guarantees the instructions.
                Self(unsafe { $splat(if bit { -1 } else { 0 }) })
            }

            #[inline(always)]
            fn lut3<const TRUTH: i32>(a: Self, b: Self, c: Self) -> Self {
                Self::ternary::<TRUTH>(a, b, c)
            }

            #[inline(always)]
            fn add64(self, other: Self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn shl64<const BITS: u32>(self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $shl(self.0, _mm_cvtsi64_si128(i64::from(BITS))) })
            }

            #[inline(always)]
            fn rotl64<const BITS: u32>(self) -> Self {
                self.rotate::<BITS>()
            }

            #[inline(always)]
            fn words(&self) -> &[u64] {
                // SAFETY: see the head of the file.
                unsafe { &*std::ptr::from_ref(self).cast::<[u64; $lanes / 64]>() }
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                // SAFETY: see the head of the file.
                unsafe { &mut *std::ptr::from_mut(self).cast::<[u64; $lanes / 64]>() }
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                self.nothing_set()
            }

            #[inline(always)]
            fn repeat(self, lanes: u64) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $splat(lanes.cast_signed()) })
            }

            #[inline(always)]
            fn square_product<const N: usize>(
                self,
                numbers: &[i16; N],
                squares: &[i16; N],
                linear: &[i16; N],
            ) -> i32 {
                self.squared(numbers, squares, linear)
            }

            #[inline(always)]
            fn run<K: Kernel>(kernel: K, _: Self) -> K::Output {
                #[target_feature(enable = $feature)]
                fn with_instructions<K: Kernel>(kernel: K) -> K::Output {
                    kernel.run()
                }
                // SAFETY: the word that was passed proves the instructions.
                unsafe { with_instructions(kernel) }
            }
        }
    };
}

vector_word!(
    Word128,
    128,
    Sse2,
    "sse2",
    _mm_set1_epi64x,
    _mm_add_epi64,
    _mm_sll_epi64
);
vector_word!(
    Word256,
    256,
    Avx2,
    "avx2,bmi1,bmi2,lzcnt,popcnt",
    _mm256_set1_epi64x,
    _mm256_add_epi64,
    _mm256_sll_epi64
);
vector_word!(
    Word512,
    512,
    Avx512,
    "avx512f,avx512vl,bmi1,bmi2,lzcnt,popcnt",
    _mm512_set1_epi64,
    _mm512_add_epi64,
    _mm512_sll_epi64
);

macro_rules! vector_gates {
    ($word:ident, $and:ident, $or:ident, $xor:ident, $splat:ident) => {
        impl Gates for $word {
            #[inline(always)]
            fn gate_and(self, other: Self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $and(self.0, other.0) })
            }
            #[inline(always)]
            fn gate_or(self, other: Self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $or(self.0, other.0) })
            }
            #[inline(always)]
            fn gate_xor(self, other: Self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn gate_not(self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $xor(self.0, $splat(-1)) })
            }
        }
    };
}

vector_gates!(
    Word128,
    _mm_and_si128,
    _mm_or_si128,
    _mm_xor_si128,
    _mm_set1_epi64x
);
vector_gates!(
    Word256,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_xor_si256,
    _mm256_set1_epi64x
);
