//! Random rows: one random bit a lane.

use crate::lanes::Word;

/// xoshiro256++ (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
/// Generators", 2021), one stream for every 64 lanes.
#[derive(Clone)]
pub struct Random<W> {
    state: [W; 4],
}

impl<W: Word> Random<W> {
    /// Streams seeded from one number; `zero` is any word, overwritten.
    pub fn new(seed: u64, zero: W) -> Self {
        let mut seeds = SplitMix(seed);
        let mut state = [zero; 4];
        for row in &mut state {
            row.words_mut().fill_with(|| seeds.next());
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

/// SplitMix64 (Steele, Lea and Flood, 2014): seeds that differ in one bit give
/// unrelated streams.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
