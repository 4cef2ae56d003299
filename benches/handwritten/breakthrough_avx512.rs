//! Breakthrough with AVX-512: eight games a vector, one 64-bit lane each, and
//! several vectors in turn. The rules and the masks are those of
//! [`super::breakthrough`].
//!
//! All games make their plies together, so that one count of plies serves all of
//! them, and with it the direction in which the player to move goes.

use super::bits::{self as scalar, Portable};
use super::breakthrough::{Breakthrough, FILE_A, FILE_H, RANK_1, RANK_8};
use super::playouts::{self, Counts};
use gdl_cli::measure::PlayoutRunner;
use gdl_runtime::engine::Tally;
use gdl_runtime::random::SplitMix;
use std::arch::x86_64::*;
use std::array;
use std::mem::transmute;

/// Games per vector.
pub const LANES: usize = 8;

/// Pairs of plies between two checks of whether to go on.
const ASK: u32 = 64;

/// The `n`-th set bit of a nibble, as byte 16 n + nibble of the table.
const NTH_OF_NIBBLE: [u64; LANES] = nth_of_nibble();

const fn nth_of_nibble() -> [u64; LANES] {
    let mut table = [0; LANES];
    let mut index = 0;
    while index < 64 {
        let mut nibble: u64 = index & 15;
        let mut skip = index >> 4;
        while skip > 0 {
            nibble &= nibble.wrapping_sub(1);
            skip -= 1;
        }
        let bit = nibble & nibble.wrapping_neg();
        table[index as usize / 8] |= bit << (8 * (index % 8));
        index += 1;
    }
    table
}

/// A proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// The proof, if the processor has them.
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vbmi");
        present.then_some(Self(()))
    }
}

/// Eight games.
#[derive(Clone, Copy)]
struct Games {
    own: __m512i,
    other: __m512i,
}

/// The moves of eight games, and how many there are.
#[derive(Clone, Copy)]
struct Moves {
    straight: __m512i,
    left: __m512i,
    right: __m512i,
    lefts: __m512i,
    lefts_and_straights: __m512i,
    count: __m512i,
}

impl Games {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn start<const EVEN: bool>() -> Self {
        let Breakthrough { own, other } = Breakthrough::set_up::<EVEN>();
        Self {
            own: all(own),
            other: all(other),
        }
    }

    /// The games that are over.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn over<const EVEN: bool>(&self) -> __mmask8 {
        let far = all(if EVEN { RANK_1 } else { RANK_8 });
        _mm512_test_epi64_mask(self.other, far) | _mm512_testn_epi64_mask(self.own, self.own)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    fn moves<const EVEN: bool>(&self) -> Moves {
        /// a and neither b nor c.
        const ONLY_A: i32 = 0x10;
        let Self { own, other } = *self;
        let [straight, left, right] = match EVEN {
            true => [
                _mm512_slli_epi64::<8>(own),
                _mm512_slli_epi64::<7>(own),
                _mm512_slli_epi64::<9>(own),
            ],
            false => [
                _mm512_srli_epi64::<8>(own),
                _mm512_srli_epi64::<9>(own),
                _mm512_srli_epi64::<7>(own),
            ],
        };
        let straight = _mm512_ternarylogic_epi64::<ONLY_A>(straight, own, other);
        let left = _mm512_ternarylogic_epi64::<ONLY_A>(left, own, all(FILE_H));
        let right = _mm512_ternarylogic_epi64::<ONLY_A>(right, own, all(FILE_A));
        let lefts = _mm512_popcnt_epi64(left);
        let lefts_and_straights = _mm512_add_epi64(lefts, _mm512_popcnt_epi64(straight));
        Moves {
            straight,
            left,
            right,
            lefts,
            lefts_and_straights,
            count: _mm512_add_epi64(lefts_and_straights, _mm512_popcnt_epi64(right)),
        }
    }

    /// Makes in every game the move of this number, which is below its count.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vpopcntdq,avx512bitalg,avx512vbmi")]
    fn make<const EVEN: bool>(&mut self, moves: &Moves, number: __m512i) {
        const XOR: i32 = 0x96;
        let past_left = _mm512_cmpge_epi64_mask(number, moves.lefts);
        let past_both = _mm512_cmpge_epi64_mask(number, moves.lefts_and_straights);
        let mask = _mm512_mask_blend_epi64(past_left, moves.left, moves.straight);
        let mask = _mm512_mask_blend_epi64(past_both, mask, moves.right);
        let skipped = _mm512_maskz_mov_epi64(past_left, moves.lefts);
        let skipped = _mm512_mask_mov_epi64(skipped, past_both, moves.lefts_and_straights);
        let to = nth(mask, _mm512_sub_epi64(number, skipped));
        let [left, straight, right] = match EVEN {
            true => [7, 8, 9],
            false => [9, 8, 7],
        };
        let distance = _mm512_mask_mov_epi64(all(left), past_left, all(straight));
        let distance = _mm512_mask_mov_epi64(distance, past_both, all(right));
        let from = match EVEN {
            true => _mm512_srlv_epi64(to, distance),
            false => _mm512_sllv_epi64(to, distance),
        };
        *self = Self {
            own: _mm512_andnot_si512(to, self.other),
            other: _mm512_ternarylogic_epi64::<XOR>(self.own, from, to),
        };
    }
}

/// A vector with this number in every lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn all(number: u64) -> __m512i {
    _mm512_set1_epi64(number.cast_signed())
}

/// In every lane the `n`-th lowest set bit of the mask: first the byte that has it,
/// then the half of that byte, then by table.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vpopcntdq,avx512bitalg,avx512vbmi")]
fn nth(mask: __m512i, n: __m512i) -> __m512i {
    /// a and b, or c.
    const A_AND_B_OR_C: i32 = 0xea;
    // In each byte the number of bits in those below it.
    let below = _mm512_mullo_epi64(_mm512_popcnt_epi8(mask), all(0x0101_0101_0101_0100));
    let wanted = _mm512_shuffle_epi8(n, _mm512_set4_epi32(0x0808_0808, 0x0808_0808, 0, 0));
    let up_to_it = _mm512_cmple_epu8_mask(below, wanted);
    let lower = _mm512_maskz_mov_epi8(up_to_it, all(!0xff));
    let shift = _mm512_popcnt_epi64(lower);
    let byte = _mm512_srlv_epi64(mask, shift);
    let n = _mm512_sub_epi64(n, _mm512_srlv_epi64(below, shift));
    let n = _mm512_and_si512(n, all(0xff));

    let low = _mm512_popcnt_epi64(_mm512_and_si512(byte, all(15)));
    let in_high = _mm512_cmpge_epi64_mask(n, low);
    let n = _mm512_mask_sub_epi64(n, in_high, n, low);
    let nibble = _mm512_mask_srli_epi64::<4>(byte, in_high, byte);
    let shift = _mm512_mask_add_epi64(shift, in_high, shift, all(4));

    let n = _mm512_slli_epi64::<4>(n);
    let index = _mm512_ternarylogic_epi64::<A_AND_B_OR_C>(nibble, all(15), n);
    let low_bytes = 0x0101_0101_0101_0101;
    let bit = _mm512_maskz_permutexvar_epi8(low_bytes, index, vector(NTH_OF_NIBBLE));
    _mm512_sllv_epi64(bit, shift)
}

/// A vector of these lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn vector(lanes: [u64; LANES]) -> __m512i {
    // SAFETY: plain old data of the same size.
    #[allow(unsafe_code)]
    unsafe {
        transmute::<[u64; LANES], __m512i>(lanes)
    }
}

/// The lanes of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(vector: __m512i) -> [u64; LANES] {
    // SAFETY: plain old data of the same size.
    #[allow(unsafe_code)]
    unsafe {
        transmute::<__m512i, [u64; LANES]>(vector)
    }
}

/// xoroshiro128+ in every lane.
#[derive(Clone, Copy)]
struct Random([__m512i; 2]);

impl Random {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(seeds: &mut SplitMix) -> Self {
        let mut lanes = || vector(array::from_fn(|_| seeds.next_u64()));
        Self([lanes(), lanes()])
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn next(&mut self) -> __m512i {
        const XOR: i32 = 0x96;
        let [s0, s1] = self.0;
        let mixed = _mm512_xor_si512(s0, s1);
        let shifted = _mm512_slli_epi64::<16>(mixed);
        let rotated = _mm512_rol_epi64::<24>(s0);
        self.0 = [
            _mm512_ternarylogic_epi64::<XOR>(rotated, mixed, shifted),
            _mm512_rol_epi64::<37>(mixed),
        ];
        _mm512_add_epi64(s0, s1)
    }
}

/// The games of all vectors, and the sums over the finished ones, lane by lane.
struct Table<const VECTORS: usize> {
    games: [Games; VECTORS],
    /// The plies at which they began.
    starts: [__m512i; VECTORS],
    plies: u64,
    finished: u64,
    sum: __m512i,
    squares: __m512i,
    /// Games of odd length: the first player's wins.
    odd: __m512i,
}

impl<const VECTORS: usize> Table<VECTORS> {
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        Self {
            games: [Games::start::<true>(); VECTORS],
            starts: [all(0); VECTORS],
            plies: 0,
            finished: 0,
            sum: all(0),
            squares: all(0),
            odd: all(0),
        }
    }

    /// A ply in every game.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vpopcntdq,avx512bitalg,avx512vbmi")]
    fn ply<const EVEN: bool>(&mut self, random: &mut Random) {
        for pair in 0..VECTORS / 2 {
            let words = random.next();
            self.step::<EVEN>(2 * pair, words);
            self.step::<EVEN>(2 * pair + 1, _mm512_srli_epi64::<32>(words));
        }
        self.plies += 1;
    }

    /// A ply in the games of one vector, by 32 random bits in each lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vpopcntdq,avx512bitalg,avx512vbmi")]
    fn step<const EVEN: bool>(&mut self, vector: usize, random: __m512i) {
        let over = self.games[vector].over::<EVEN>();
        if over != 0 {
            self.restart::<EVEN>(vector, over);
        }
        let games = &mut self.games[vector];
        let moves = games.moves::<EVEN>();
        let number = _mm512_srli_epi64::<32>(_mm512_mul_epu32(random, moves.count));
        games.make::<EVEN>(&moves, number);
    }

    /// Counts games that are over and starts new ones.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn restart<const EVEN: bool>(&mut self, vector: usize, over: __mmask8) {
        let now = all(self.plies);
        let length = _mm512_maskz_sub_epi64(over, now, self.starts[vector]);
        self.finished += u64::from(over.count_ones());
        self.sum = _mm512_add_epi64(self.sum, length);
        self.squares = _mm512_add_epi64(self.squares, _mm512_mul_epu32(length, length));
        self.odd = _mm512_add_epi64(self.odd, _mm512_and_si512(length, all(1)));
        self.starts[vector] = _mm512_mask_mov_epi64(self.starts[vector], over, now);
        let games = &mut self.games[vector];
        let start = Games::start::<EVEN>();
        games.own = _mm512_mask_mov_epi64(games.own, over, start.own);
        games.other = _mm512_mask_mov_epi64(games.other, over, start.other);
    }
}

impl<const VECTORS: usize> Table<VECTORS> {
    /// The sums over the finished games.
    #[target_feature(enable = "avx512f")]
    fn counts(&self) -> Counts {
        let sum = |vector| _mm512_reduce_add_epi64(vector).cast_unsigned();
        let odd = sum(self.odd);
        Counts {
            games: self.finished,
            plies: sum(self.sum),
            squared_plies: sum(self.squares),
            first_goals: 100 * odd,
            squared_first_goals: 10_000 * odd,
        }
    }

    /// The games in play, and how many plies each has.
    #[target_feature(enable = "avx512f")]
    fn in_play(&self) -> Vec<(Breakthrough, u64)> {
        let mut games = Vec::new();
        for (vector, starts) in self.games.iter().zip(self.starts) {
            let starts = lanes(starts).into_iter();
            for ((own, other), start) in lanes(vector.own)
                .into_iter()
                .zip(lanes(vector.other))
                .zip(starts)
            {
                games.push((Breakthrough { own, other }, self.plies - start));
            }
        }
        games
    }
}

/// `VECTORS` vectors of games, an even number.
pub struct Vectors<const VECTORS: usize> {
    seeds: SplitMix,
    proof: Avx512,
}

impl<const VECTORS: usize> Vectors<VECTORS> {
    /// A player, seeded.
    pub fn new(seed: u64, proof: Avx512) -> Self {
        Self {
            seeds: SplitMix::new(seed),
            proof,
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vpopcntdq,avx512bitalg,avx512vbmi")]
    fn play(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        let mut random = Random::new(&mut self.seeds);
        let mut table = Table::<VECTORS>::new();
        while keep_going(&table.counts().tally()) {
            for _ in 0..ASK {
                table.ply::<true>(&mut random);
                table.ply::<false>(&mut random);
            }
        }
        let mut counts = table.counts();
        let mut random = scalar::Random::new(self.seeds.next_u64());
        for (game, plies) in table.in_play() {
            playouts::finish(game, plies, &mut random, Portable, &mut counts);
        }
        counts.tally()
    }
}

impl<const VECTORS: usize> PlayoutRunner for Vectors<VECTORS> {
    fn count(&self) -> usize {
        LANES * VECTORS
    }

    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        let Avx512(()) = self.proof;
        // SAFETY: a value of `Avx512` proves that the processor has the instructions.
        #[allow(unsafe_code)]
        unsafe {
            self.play(keep_going)
        }
    }
}

/// The number of move sequences of exactly this length, found eight at a time.
pub fn perft(depth: u32, proof: Avx512) -> u64 {
    let Avx512(()) = proof;
    // SAFETY: a value of `Avx512` proves that the processor has the instructions.
    #[allow(unsafe_code)]
    unsafe {
        below::<true>(Games::start::<true>(), 1, depth)
    }
}

/// The number of move sequences of this length from the first `used` games of a vector.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vpopcntdq,avx512bitalg,avx512vbmi")]
fn below<const EVEN: bool>(games: Games, used: usize, depth: u32) -> u64 {
    if depth == 0 {
        return used as u64;
    }
    let moves = games.moves::<EVEN>();
    let over = games.over::<EVEN>();
    let counts = lanes(moves.count);
    let mut total = 0;
    for lane in (0..used).filter(|lane| over >> lane & 1 == 0) {
        // This game in every lane, each of which makes a different one of its moves.
        let copy = |vector| all(lanes(vector)[lane]);
        let games = Games {
            own: copy(games.own),
            other: copy(games.other),
        };
        let moves = games.moves::<EVEN>();
        for first in (0..counts[lane]).step_by(LANES) {
            let used = (counts[lane] - first).min(LANES as u64);
            let number = |lane: usize| first + (lane as u64).min(used - 1);
            let mut next = games;
            next.make::<EVEN>(&moves, vector(array::from_fn(number)));
            total += match EVEN {
                true => below::<false>(next, used as usize, depth - 1),
                false => below::<true>(next, used as usize, depth - 1),
            };
        }
    }
    total
}
