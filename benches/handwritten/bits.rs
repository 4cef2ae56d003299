//! Picking a bit of a mask, and random numbers.

use gdl_runtime::random::SplitMix;

/// A way to find the n-th bit that is set.
pub trait Bits: Copy + Send {
    /// A mask with only the `n`-th lowest set bit of `mask`, counted from 0. More than `n`
    /// bits have to be set.
    fn nth(self, mask: u64, n: u32) -> u64;
}

/// By arithmetic that every processor has.
#[derive(Clone, Copy)]
pub struct Portable;

impl Bits for Portable {
    fn nth(self, mut mask: u64, n: u32) -> u64 {
        for _ in 0..n {
            mask &= mask.wrapping_sub(1);
        }
        mask & mask.wrapping_neg()
    }
}

/// By the bit manipulation instructions of x86-64. A value proves that the
/// processor has them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The proof, if the processor has BMI2, and with it BMI1, LZCNT and POPCNT.
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Bits for Bmi2 {
    #[inline(always)]
    fn nth(self, mask: u64, n: u32) -> u64 {
        // SAFETY: only `detect` makes a value, where the processor has BMI2.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pdep_u64(1 << n, mask)
        }
    }
}

/// xoroshiro128+ (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
/// Generators", 2021).
#[derive(Clone)]
pub struct Random {
    state: [u64; 2],
}

impl Random {
    /// A stream for every seed.
    pub fn new(seed: u64) -> Self {
        let mut seeds = SplitMix::new(seed);
        Self {
            state: [seeds.next_u64(), seeds.next_u64()],
        }
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        let [s0, s1] = self.state;
        let mixed = s0 ^ s1;
        self.state = [
            s0.rotate_left(24) ^ mixed ^ (mixed << 16),
            mixed.rotate_left(37),
        ];
        s0.wrapping_add(s1)
    }
}

/// A number below `count` from 32 random bits: uniform up to `count` in 2^32
/// (Lemire, "Fast Random Integer Generation in an Interval", 2019, without the
/// rejection).
#[inline(always)]
pub fn below(count: u32, random: u32) -> u32 {
    ((u64::from(random) * u64::from(count)) >> 32) as u32
}
