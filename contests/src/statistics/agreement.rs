//! How well measured scores agree with published ones, given the intervals of both.

use super::interval::Z;
use serde::Serialize;

/// A score that was measured here and published elsewhere, with standard errors, all in per
/// cent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparedScore {
    /// Our score.
    pub ours: f64,
    /// Its standard error.
    pub error: f64,
    /// The published score.
    pub theirs: f64,
    /// Its standard error.
    pub their_error: f64,
}

/// How well the scores of some cells agree with published ones. Differences are in
/// percentage points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of cells.
    pub cells: usize,
    /// Pearson's coefficient of correlation; absent if one side does not vary.
    pub correlation: Option<f64>,
    /// The correlation that is to be expected if all true scores are the same: errors on
    /// both sides keep it below 1. Absent if the published scores vary no more than their
    /// errors.
    pub expected_correlation: Option<f64>,
    /// The mean of the absolute differences.
    pub mean_difference: f64,
    /// What it would be if all true scores were the same: √(2/π) times the mean standard
    /// error of the differences.
    pub expected_difference: f64,
    /// The mean of the differences, ours less theirs.
    pub bias: f64,
    /// The mean absolute difference of 50 % from the published scores.
    pub mean_difference_of_half: f64,
    /// The number of cells whose difference is within 1.96 of its standard errors.
    pub within: usize,
    /// The number of cells for which the same is true of 50 % in place of our score.
    pub half_within: usize,
}

impl ComparedScore {
    /// Half the widths of the 95 % intervals: theirs, then ours.
    #[must_use]
    pub fn half_widths(&self) -> (f64, f64) {
        (Z * self.their_error, Z * self.error)
    }

    /// The absolute difference in its standard errors; infinite if there are none.
    #[must_use]
    pub fn distance(&self) -> f64 {
        let difference = (self.ours - self.theirs).abs();
        match difference > 0.0 {
            true => difference / self.difference_error(),
            false => 0.0,
        }
    }

    /// The standard error of the difference.
    fn difference_error(&self) -> f64 {
        self.error.hypot(self.their_error)
    }

    /// Whether a score in place of ours, with our error, agrees with the published one.
    fn agrees(&self, score: f64) -> bool {
        (score - self.theirs).abs() <= Z * self.difference_error()
    }
}

impl Agreement {
    /// The agreement of these cells; `None` if there are none.
    #[must_use]
    pub fn of(cells: &[ComparedScore]) -> Option<Self> {
        if cells.is_empty() {
            return None;
        }
        let mean = |value: &dyn Fn(&ComparedScore) -> f64| mean(cells.iter().map(value));
        let count = |holds: &dyn Fn(&ComparedScore) -> bool| {
            cells.iter().filter(|cell| holds(cell)).count()
        };
        let chance = (2.0 / std::f64::consts::PI).sqrt();
        Some(Self {
            cells: cells.len(),
            correlation: correlation(cells),
            expected_correlation: expected_correlation(cells),
            mean_difference: mean(&|cell| (cell.ours - cell.theirs).abs()),
            expected_difference: chance * mean(&ComparedScore::difference_error),
            bias: mean(&|cell| cell.ours - cell.theirs),
            mean_difference_of_half: mean(&|cell| (50.0 - cell.theirs).abs()),
            within: count(&|cell| cell.agrees(cell.ours)),
            half_within: count(&|cell| cell.agrees(50.0)),
        })
    }
}

fn correlation(cells: &[ComparedScore]) -> Option<f64> {
    let ours = mean(cells.iter().map(|cell| cell.ours));
    let theirs = mean(cells.iter().map(|cell| cell.theirs));
    let products = cells
        .iter()
        .map(|cell| (cell.ours - ours) * (cell.theirs - theirs));
    let product: f64 = products.sum();
    let own: f64 = cells.iter().map(|cell| (cell.ours - ours).powi(2)).sum();
    let other: f64 = cells
        .iter()
        .map(|cell| (cell.theirs - theirs).powi(2))
        .sum();
    let norm = (own * other).sqrt();
    (norm > 0.0).then(|| product / norm)
}

/// Spearman's correction for attenuation, turned round: true scores have the variance of the
/// published ones less that of their errors.
fn expected_correlation(cells: &[ComparedScore]) -> Option<f64> {
    let centre = mean(cells.iter().map(|cell| cell.theirs));
    let seen = mean(cells.iter().map(|cell| (cell.theirs - centre).powi(2)));
    let their_error = mean(cells.iter().map(|cell| cell.their_error.powi(2)));
    let error = mean(cells.iter().map(|cell| cell.error.powi(2)));
    let truth = seen - their_error;
    (truth > 0.0).then(|| truth / ((truth + error) * (truth + their_error)).sqrt())
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt as _, SeedableRng as _};

    fn cell(ours: f64, theirs: f64) -> ComparedScore {
        ComparedScore {
            ours,
            error: 3.0,
            theirs,
            their_error: 4.0,
        }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    /// Differences of 10, −9 and 20 with a standard error of 5: within 9.8 is the second.
    /// Deviations from the means, 60 and 53, are 20, −20, 0 and 17, −4, −13.
    #[test]
    fn three_cells() {
        let found = Agreement::of(&[cell(80.0, 70.0), cell(40.0, 49.0), cell(60.0, 40.0)]);
        let found = found.expect("there are cells");
        assert_close(found.mean_difference, 13.0);
        assert_close(found.bias, 7.0);
        assert_close(found.mean_difference_of_half, 31.0 / 3.0);
        assert_eq!((found.cells, found.within, found.half_within), (3, 1, 1));
        let correlation = 420.0 / f64::sqrt(800.0 * 474.0);
        assert_close(found.correlation.expect("both vary"), correlation);
        assert_close(
            found.expected_difference,
            5.0 * f64::sqrt(2.0 / std::f64::consts::PI),
        );
        // The truth has 158 − 16 = 142.
        let expected = 142.0 / f64::sqrt(151.0 * 158.0);
        assert_close(found.expected_correlation.expect("they vary"), expected);
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        assert_eq!(Agreement::of(&[]), None);
        let found = Agreement::of(&[cell(50.0, 70.0), cell(50.0, 40.0)]).expect("two cells");
        assert_eq!(found.correlation, None);
        let found = Agreement::of(&[cell(60.0, 51.0), cell(50.0, 50.0)]).expect("two cells");
        assert_eq!(found.expected_correlation, None);
    }

    /// The same true scores, measured twice, give what is expected.
    #[test]
    fn repetitions_are_as_expected() {
        let mut rng = StdRng::seed_from_u64(5);
        let mut noise = |deviation: f64| {
            // Twelve uniform variables less six are nearly normal with variance 1.
            let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
            deviation * (sum - 6.0)
        };
        let cells: Vec<ComparedScore> = (0..4000)
            .map(|_| {
                let truth = 60.0 + noise(10.0);
                cell(truth + noise(3.0), truth + noise(4.0))
            })
            .collect();
        let found = Agreement::of(&cells).expect("there are cells");
        let (correlation, expected) = (found.correlation, found.expected_correlation);
        let (correlation, expected) = (correlation.expect("some"), expected.expect("some"));
        assert!(
            (correlation - expected).abs() < 0.02,
            "{correlation}, not {expected}"
        );
        let (mean, expected) = (found.mean_difference, found.expected_difference);
        assert!((mean - expected).abs() < 0.2, "{mean}, not {expected}");
        let share = found.within as f64 / cells.len() as f64;
        assert!((share - 0.95).abs() < 0.02, "{share}");
    }
}
