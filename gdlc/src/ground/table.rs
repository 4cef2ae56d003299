//! A hash table from keys that live elsewhere to dense numbers.
//!
//! Terms, atoms and index keys are all runs of ids in flat arrays: the table
//! holds only their numbers and hashes, so interning allocates only when the
//! arrays grow.

use crate::id::Id;
use hashbrown::HashTable;

/// Numbers by the hashes of their keys.
#[derive(Default)]
pub(super) struct NumberTable(HashTable<(u32, u32)>);

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
        let is_same = |&(held, number): &(u32, u32)| held == hash && same(number);
        let found = self.0.find(spread(hash), is_same);
        found.map(|&(_, number)| number)
    }

    /// Adds an entry that [`find`](Self::find) does not have.
    pub fn insert(&mut self, hash: u32, number: u32) {
        let entry = (hash, number);
        self.0
            .insert_unique(spread(hash), entry, |&(held, _)| spread(held));
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.0.allocation_size() as u64
    }
}

/// The hash in both halves: `hashbrown` looks at the lowest bits and at the
/// highest.
const fn spread(hash: u32) -> u64 {
    (hash as u64) << 32 | hash as u64
}
