//! With AVX-512 and BMI2, where the processor has them and may use them. The level of AVX2
//! includes instructions that count, find and deposit bits.
//!
//! Safety, for the whole file: every function that uses such instructions is called only
//! after the processor was found to have them.

#![allow(unsafe_code)]

use super::{draw_rows_by, rank_rows_here};
use crate::lanes::CpuLevel;
use crate::random::SplitMix;
use std::arch::x86_64::*;
use std::sync::LazyLock;

/// Whether bytes can be written and compared by masks.
fn has_byte_masks() -> bool {
    static FOUND: LazyLock<bool> =
        LazyLock::new(|| CpuLevel::Avx512.available() && is_x86_feature_detected!("avx512bw"));
    *FOUND
}

pub(super) fn spread_rows(table: &[u64], bits: usize, out: &mut [u8]) -> bool {
    let usable = has_byte_masks();
    if usable {
        // SAFETY: see the head of the file.
        unsafe { spread_by_masks(table, bits, out) };
    }
    usable
}

pub(super) fn gather_rows(bytes: &[u8], bits: usize, table: &mut Vec<u64>) -> bool {
    let usable = has_byte_masks();
    if usable {
        // SAFETY: see the head of the file.
        unsafe { gather_by_masks(bytes, bits, table) };
    }
    usable
}

pub(super) fn draw_rows(
    table: &[u64],
    words: usize,
    numbers: &mut SplitMix,
    indices: &mut [i32],
) -> bool {
    let usable = CpuLevel::Avx2.available();
    if usable {
        // SAFETY: see the head of the file.
        unsafe { draw_by_deposit(table, words, numbers, indices) };
    }
    usable
}

pub(super) fn rank_rows(
    table: &[u64],
    words: usize,
    indices: &[i32],
    ranks: &mut [u64],
) -> Option<bool> {
    // SAFETY: see the head of the file.
    CpuLevel::Avx2
        .available()
        .then(|| unsafe { rank_by_counts(table, words, indices, ranks) })
}

#[target_feature(enable = "avx512f,avx512bw")]
fn spread_by_masks(table: &[u64], bits: usize, out: &mut [u8]) {
    let words = bits.div_ceil(64);
    let rows = table.chunks_exact(words).zip(out.chunks_exact_mut(bits));
    for (row, out) in rows {
        for (&word, out) in row.iter().zip(out.chunks_mut(64)) {
            let bytes = _mm512_maskz_set1_epi8(word, 1);
            // SAFETY: only as many bytes are written as there are.
            unsafe { _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), lowest(out.len()), bytes) };
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn gather_by_masks(bytes: &[u8], bits: usize, table: &mut Vec<u64>) {
    for row in bytes.chunks_exact(bits) {
        for part in row.chunks(64) {
            // SAFETY: only as many bytes are read as there are.
            let bytes =
                unsafe { _mm512_maskz_loadu_epi8(lowest(part.len()), part.as_ptr().cast()) };
            table.push(_mm512_test_epi8_mask(bytes, bytes));
        }
    }
}

/// A mask of the lowest of 64.
#[inline(always)]
fn lowest(count: usize) -> u64 {
    u64::MAX >> (64 - count.clamp(1, 64))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn draw_by_deposit(table: &[u64], words: usize, numbers: &mut SplitMix, indices: &mut [i32]) {
    draw_rows_by(table, words, numbers, indices, |word, rank| {
        _pdep_u64(1 << rank, word).trailing_zeros()
    });
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn rank_by_counts(table: &[u64], words: usize, indices: &[i32], ranks: &mut [u64]) -> bool {
    rank_rows_here(table, words, indices, ranks)
}
