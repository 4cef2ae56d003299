//! Processors other than x86-64 do without special instructions.

use crate::random::SplitMix;

pub(super) fn spread_rows(_table: &[u64], _bits: usize, _out: &mut [u8]) -> bool {
    false
}

pub(super) fn gather_rows(_bytes: &[u8], _bits: usize, _table: &mut Vec<u64>) -> bool {
    false
}

pub(super) fn draw_rows(
    _table: &[u64],
    _words: usize,
    _numbers: &mut SplitMix,
    _indices: &mut [i32],
) -> bool {
    false
}

pub(super) fn rank_rows(
    _table: &[u64],
    _words: usize,
    _indices: &[i32],
    _ranks: &mut [u64],
) -> Option<bool> {
    None
}
