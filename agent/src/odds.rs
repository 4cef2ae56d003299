//! Odds of values, the exponentials of their logits.

/// Values are kept at least this far from 0 and 1 before odds are computed, so that odds are
/// positive and finite.
const LEAST_VALUE: f32 = 1e-4;

/// The odds of a value from 0 to 1.
#[inline]
pub(crate) fn odds(value: f32) -> f32 {
    let value = value.clamp(LEAST_VALUE, 1.0 - LEAST_VALUE);
    value / (1.0 - value)
}

/// The weight of a move in a softmax over logits at temperature 0.1, by its value: its odds to the
/// power 10.
#[inline]
pub(crate) fn preference(value: f32) -> f64 {
    let odds = f64::from(odds(value));
    let square = odds * odds;
    let fourth = square * square;
    fourth * fourth * square
}
