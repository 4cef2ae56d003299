//! Elo's scale: 400 points are odds of ten to one (Elo 1978).

use serde::Serialize;

/// The Elo difference that a mean score from 0 to 1 shows; infinite at 0 and 1.
#[must_use]
pub fn difference(score: f64) -> f64 {
    // Adding 0 makes the 0 of equal agents a positive one.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// An Elo difference with its 95 % interval; an end is `None` where it is infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EloInterval {
    /// The difference that the score shows.
    pub elo: Option<f64>,
    /// The lower end.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
}

impl EloInterval {
    /// The differences of a score from 0 to 1 and of the ends of its interval; `None` without
    /// a score.
    #[must_use]
    pub fn of(score: Option<f64>, lower: Option<f64>, upper: Option<f64>) -> Option<Self> {
        let points = |score: f64| Some(difference(score)).filter(|points| points.is_finite());
        Some(Self {
            elo: points(score?),
            lower: points(lower?),
            upper: points(upper?),
        })
    }
}

/// The mean score from 0 to 1 that an Elo difference predicts.
#[must_use]
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_of_ten_to_one_are_400_points() {
        assert!((difference(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((difference(1.0 / 11.0) + 400.0).abs() < 1e-9);
        // Three wins in four: 400 · log10(3).
        assert!((difference(0.75) - 190.848_501).abs() < 1e-6);
        assert_eq!(difference(0.5).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn nothing_but_wins_is_infinitely_better() {
        assert_eq!(difference(1.0), f64::INFINITY);
        assert_eq!(difference(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn scores_and_differences_are_inverse() {
        for points in [-700.0, -35.0, 0.0, 12.5, 400.0] {
            assert!((difference(expected_score(points)) - points).abs() < 1e-9);
        }
    }
}
