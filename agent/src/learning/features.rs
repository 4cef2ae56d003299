//! Features of states: the bits that a network sees.

use gdl_runtime::engine::lanes_of;

/// The numbers of the features that hold.
pub(super) fn set_bits(features: &[u64]) -> impl Iterator<Item = usize> + '_ {
    lanes_of(features)
}
