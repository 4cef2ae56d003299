//! A hash table from keys that live elsewhere to dense numbers.
//!
//! Terms, atoms and index keys are all runs of ids in flat arrays: the table
//! holds only their numbers and hashes, so interning allocates nothing but the
//! arrays' own growth.

use crate::id::Id;

const EMPTY: u32 = u32::MAX;

/// Open addressing with linear probing, at most three quarters full.
#[derive(Default)]
pub(super) struct NumberTable {
    /// Hash and number; the number is [`EMPTY`] in a free slot.
    slots: Vec<(u32, u32)>,
    len: usize,
}

/// A hash of a run of ids, distinguished by `seed`.
#[inline]
pub(super) fn hash_key<I: Id>(seed: u32, key: &[I]) -> u32 {
    hash_words(seed, key.iter().map(|id| id.index() as u32))
}

/// A hash of a run of words, distinguished by `seed`.
#[inline]
pub(super) fn hash_words(seed: u32, words: impl Iterator<Item = u32>) -> u32 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = u64::from(seed).wrapping_mul(MULTIPLIER);
    for word in words {
        hash = (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(MULTIPLIER);
    }
    (hash >> 32) as u32
}

impl NumberTable {
    /// The number of the entry with this hash for which `same` holds.
    #[inline]
    pub fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        loop {
            let (held, number) = self.slots[position];
            if number == EMPTY {
                return None;
            }
            if held == hash && same(number) {
                return Some(number);
            }
            position = (position + 1) & mask;
        }
    }

    /// Adds an entry that [`find`](Self::find) does not have.
    pub fn insert(&mut self, hash: u32, number: u32) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.place(hash, number);
        self.len += 1;
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<(u32, u32)>()) as u64
    }

    fn place(&mut self, hash: u32, number: u32) {
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        while self.slots[position].1 != EMPTY {
            position = (position + 1) & mask;
        }
        self.slots[position] = (hash, number);
    }

    fn grow(&mut self) {
        let capacity = (self.slots.len() * 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![(0, EMPTY); capacity]);
        for (hash, number) in old {
            if number != EMPTY {
                self.place(hash, number);
            }
        }
    }
}
