//! Hashes of states.

use std::hash::{BuildHasher, Hasher};

use rustc_hash::FxBuildHasher;

/// The hash of a state's words, in tables of states.
pub(crate) fn hash_of(words: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    words.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
