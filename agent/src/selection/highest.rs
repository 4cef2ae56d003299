//! The highest of some values.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The index of the highest value; values at most `tolerance` below it are equally
/// likely.
pub(crate) fn pick_highest(
    values: &[f32],
    tolerance: f32,
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    let least = highest(values) - tolerance;
    let is_tied = |value: f32| value >= least;
    let ties: u32 = values.iter().map(|&value| u32::from(is_tied(value))).sum();
    let which = match ties {
        0 | 1 => 0,
        _ => random.random_range(0..ties) as usize,
    };
    let tied = values
        .iter()
        .enumerate()
        .filter(|&(_, &value)| is_tied(value));
    tied.map(|(index, _)| index).nth(which).unwrap_or(0)
}

/// The highest value. Several running maxima are independent of each other, so that
/// comparisons do not wait for one another.
fn highest(values: &[f32]) -> f32 {
    const ABREAST: usize = 8;
    let higher = |one: f32, other: f32| if other > one { other } else { one };
    let mut highest = [f32::NEG_INFINITY; ABREAST];
    let rows = values.chunks_exact(ABREAST);
    let rest = rows.remainder().iter().copied();
    for row in rows {
        for (best, &value) in highest.iter_mut().zip(row) {
            *best = higher(*best, value);
        }
    }
    highest
        .into_iter()
        .chain(rest)
        .fold(f32::NEG_INFINITY, higher)
}
