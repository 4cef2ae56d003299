//! Uniformly random legal actions.

use crate::bits::MaskRow;
use gdl_runtime::random::SplitMix;

/// Draws, for every row of masks, one of the actions that it allows, each with the same
/// probability: 0 where it allows none. The same seed draws the same.
///
/// # Panics
/// If there are not as many rows as actions.
pub fn sample_actions(masks: &[u8], row: MaskRow, seed: u64, actions: &mut [i32]) {
    let bytes = row.bytes();
    assert_eq!(masks.len(), bytes * actions.len(), "a row for every action");
    let mut numbers = SplitMix::new(seed);
    match (row.packed, bytes) {
        (_, 0) => actions.fill(0),
        (true, 1) => {
            for (action, &mask) in actions.iter_mut().zip(masks) {
                let rank = below(&mut numbers, u32::from(COUNTS[mask as usize]));
                *action = i32::from(PLACES[mask as usize][rank as usize & 7]);
            }
        }
        (true, _) => {
            for (action, mask) in actions.iter_mut().zip(masks.chunks_exact(bytes)) {
                *action = sample_packed(mask, &mut numbers);
            }
        }
        (false, _) => {
            let mut packed = Vec::new();
            for (action, mask) in actions.iter_mut().zip(masks.chunks_exact(bytes)) {
                *action = sample_bytes(mask, &mut numbers, &mut packed);
            }
        }
    }
}

/// How many bits each byte has set.
static COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    counts
};

/// For each byte the indices of the bits that are set, lowest first.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                places[byte][rank] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// A number below a bound, 0 if that is 0 (Lemire, "Fast Random Integer Generation in an
/// Interval", 2019).
#[inline]
fn below(numbers: &mut SplitMix, bound: u32) -> u32 {
    loop {
        let product = (numbers.next_u64() >> 32) * u64::from(bound);
        // Rejects the products that would favour some numbers.
        let low = product as u32;
        if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
            return (product >> 32) as u32;
        }
    }
}

fn sample_packed(mask: &[u8], numbers: &mut SplitMix) -> i32 {
    let count: u32 = words(mask).map(u64::count_ones).sum();
    let mut rank = below(numbers, count);
    for (index, word) in (0..).zip(words(mask)) {
        let here = word.count_ones();
        if rank < here {
            return 64 * index + place(word, rank) as i32;
        }
        rank -= here;
    }
    0
}

/// The index of the bit that is set and has this many set bits below it (Vigna, "Broadword
/// Implementation of Rank/Select Queries", 2008, section 3).
fn place(word: u64, rank: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    // In every byte the number of bits set in it and in the bytes below.
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let passed = (u64::from(rank).wrapping_mul(ONES) | TOPS).wrapping_sub(sums) & TOPS;
    let shift = 8 * ((passed >> 7).wrapping_mul(ONES) >> 56) as u32;
    let before = (sums << 8).checked_shr(shift).unwrap_or(0) as u32 & 0xff;
    let byte = word.checked_shr(shift).unwrap_or(0) as usize & 0xff;
    shift + u32::from(PLACES[byte][(rank - before) as usize & 7])
}

/// The bytes of a mask as words, the last filled up with zeros.
fn words(mask: &[u8]) -> impl Iterator<Item = u64> + '_ {
    mask.chunks(8).map(|bytes| match bytes.first_chunk::<8>() {
        Some(&bytes) => u64::from_le_bytes(bytes),
        None => bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte)),
    })
}

/// As for packed masks; any byte but 0 allows an action.
fn sample_bytes(mask: &[u8], numbers: &mut SplitMix, packed: &mut Vec<u8>) -> i32 {
    packed.clear();
    packed.extend(mask.chunks(8).map(pack));
    sample_packed(packed, numbers)
}

/// Bits for up to eight bytes, lowest first: whether they are other than 0.
fn pack(bytes: &[u8]) -> u8 {
    let Some(&all) = bytes.first_chunk::<8>() else {
        let bits = bytes.iter().rev();
        return bits.fold(0, |packed, &byte| packed << 1 | u8::from(byte != 0));
    };
    let all = u64::from_le_bytes(all);
    // The highest bit of each byte that is not 0.
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let set = (((all & LOW) + LOW) | all) & !LOW;
    ((set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}
