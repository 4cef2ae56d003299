//! Random numbers: rows of one random bit per lane, and seeds derived from seeds.

use crate::lanes::Word;

/// xoshiro256++ (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
/// Generators", 2021), one stream per 64 lanes.
#[derive(Clone)]
pub struct Random<W> {
    state: [W; 4],
}

impl<W: Word> Random<W> {
    /// The streams of a seed; `zero` may be any word.
    pub fn new(seed: u64, zero: W) -> Self {
        let mut seeds = SplitMix::new(seed);
        let mut state = [zero; 4];
        for row in &mut state {
            row.words_mut().fill_with(|| seeds.next_u64());
        }
        Self { state }
    }

    /// A row of independent fair bits.
    #[inline(always)]
    pub fn row(&mut self) -> W {
        let [s0, s1, s2, s3] = self.state;
        let result = s0.add64(s3).rotl64::<23>().add64(s0);
        let shifted = s1.shl64::<17>();
        let s2 = s2.xor(s0);
        let s3 = s3.xor(s1);
        self.state = [s0.xor(s3), s1.xor(s2), s2.xor(shifted), s3.rotl64::<45>()];
        result
    }
}

/// Golden ratio times 2^64: the distance of consecutive [`SplitMix`] states.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014): seeds that differ in one bit give unrelated streams.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The number at a zero-based index of the stream of a seed: derives many
    /// seeds from one.
    #[must_use]
    pub const fn at(seed: u64, index: u64) -> u64 {
        Self(seed.wrapping_add(index.wrapping_mul(GOLDEN))).next_u64()
    }

    /// The next number of the stream.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix;

    #[test]
    fn the_stream_is_split_mix_64() {
        // The first numbers of the reference implementation's stream of 1234567.
        let mut stream = SplitMix::new(1_234_567);
        for (index, expected) in [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
            .into_iter()
            .enumerate()
        {
            assert_eq!(stream.next_u64(), expected);
            assert_eq!(SplitMix::at(1_234_567, index as u64), expected);
        }
    }
}
