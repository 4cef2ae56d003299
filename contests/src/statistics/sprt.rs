//! A sequential test, which stops as soon as it is sure enough.
//!
//! Wald's sequential probability ratio test (1945) between two differences of
//! strength, generalised to outcomes of unknown frequency: the likelihoods are
//! maximised over all frequencies with the right mean (Van den Bergh, "The
//! generalized SPRT for the trinomial and pentanomial models"; the test of
//! Stockfish's fishtest). The outcomes are the mean scores of sets of games in
//! which the roles go round, since the games of a set may depend on each other.

use super::elo;

/// The outcomes of a set of two games that have scores 0, 1/2 and 1.
pub const OUTCOMES: usize = 5;

/// The count of outcomes that were not seen, so that the likelihoods exist.
const UNSEEN: f64 = 1e-3;

/// A test of whether the Elo difference is `elo0` or `elo1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative, greater.
    pub elo1: f64,
    /// The greatest probability of wrongly accepting the alternative.
    pub alpha: f64,
    /// The greatest probability of wrongly accepting the null hypothesis.
    pub beta: f64,
}

impl Default for Sprt {
    /// No better, or 55 %: hypotheses that a hundred to a thousand games can tell apart.
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 35.0,
            alpha: 0.05,
            beta: 0.05,
        }
    }
}

/// The hypothesis that a test accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The null hypothesis: not better by `elo1`.
    Null,
    /// The alternative: better than `elo0`.
    Alternative,
}

impl Sprt {
    /// The logarithms of the likelihood ratio at which the test stops: the null
    /// hypothesis is accepted at or below the first, the alternative at or
    /// above the second.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The logarithm of the likelihood ratio, the alternative over the null
    /// hypothesis. `counts` says how often each mean score of a set occurred; the
    /// scores go from 0 to 1 in equal steps.
    #[must_use]
    pub fn log_likelihood_ratio(&self, counts: &[u64]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts: Vec<f64> = counts
            .iter()
            .map(|&count| (count as f64).max(UNSEEN))
            .collect();
        let total: f64 = counts.iter().sum();
        let steps = (counts.len().max(2) - 1) as f64;
        let scores: Vec<(f64, f64)> = (counts.iter().enumerate())
            .map(|(index, count)| (index as f64 / steps, count / total))
            .collect();
        let null = likeliest(&scores, elo::expected_score(self.elo0));
        let alternative = likeliest(&scores, elo::expected_score(self.elo1));
        let ratios = counts.iter().zip(alternative.iter().zip(&null));
        ratios
            .map(|(count, (one, zero))| count * (one / zero).ln())
            .sum()
    }

    /// The hypothesis that is accepted at a log likelihood ratio, if any.
    #[must_use]
    pub fn verdict(&self, log_likelihood_ratio: f64) -> Option<SprtVerdict> {
        let (lower, upper) = self.bounds();
        if log_likelihood_ratio >= upper {
            Some(SprtVerdict::Alternative)
        } else if log_likelihood_ratio <= lower {
            Some(SprtVerdict::Null)
        } else {
            None
        }
    }
}

/// The frequencies with the given mean that make what was seen (scores with
/// their frequencies) likeliest: p/(1 + θ(score − mean)), where θ is the root of
/// a sum that falls from one end of its range to the other.
fn likeliest(scores: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let excess = |theta: f64| -> f64 {
        let term = |&(score, frequency): &(f64, f64)| {
            frequency * (score - mean) / (1.0 + theta * (score - mean))
        };
        scores.iter().map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // As many halvings as a float has digits.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = (low + high) / 2.0;
    let weigh = |&(score, frequency): &(f64, f64)| frequency / (1.0 + theta * (score - mean));
    scores.iter().map(weigh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found}, not {expected}");
    }

    /// ln 19 and its opposite, at 5 % each.
    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = Sprt::default().bounds();
        assert_close(lower, -2.944_439, 1e-6);
        assert_close(upper, 2.944_439, 1e-6);
        let uneven = Sprt {
            alpha: 0.01,
            beta: 0.2,
            ..Sprt::default()
        };
        let (lower, upper) = uneven.bounds();
        // ln(0.2 / 0.99) and ln(0.8 / 0.01).
        assert_close(lower, -1.599_388, 1e-6);
        assert_close(upper, 4.382_027, 1e-6);
    }

    /// Without draws the frequencies follow from the mean alone, and the test is
    /// Wald's: 60·ln(s1/s0) + 40·ln((1 − s1)/(1 − s0)).
    #[test]
    fn two_outcomes_are_walds_binomial_test() {
        let sprt = Sprt::default();
        let (s0, s1) = (0.5, elo::expected_score(35.0));
        let exact = 60.0 * f64::ln(s1 / s0) + 40.0 * f64::ln((1.0 - s1) / (1.0 - s0));
        assert_close(sprt.log_likelihood_ratio(&[40, 60]), exact, 1e-9);
    }

    /// Near each other the hypotheses are told apart as normal means are:
    /// n·(s1 − s0)·(2m − s0 − s1)/(2·variance), Van den Bergh's approximation.
    #[test]
    fn pairs_of_games_agree_with_the_normal_approximation() {
        let counts = [60, 240, 500, 300, 100];
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            ..Sprt::default()
        };
        let n = 1200.0;
        // Σ count·score = 240/4 + 500/2 + 300·3/4 + 100.
        let mean = (60.0 + 250.0 + 225.0 + 100.0) / n;
        let squares = (240.0 / 16.0 + 500.0 / 4.0 + 300.0 * 9.0 / 16.0 + 100.0) / n;
        let variance = squares - mean * mean;
        let s1 = elo::expected_score(5.0);
        let expected = n * (s1 - 0.5) * (2.0 * mean - 0.5 - s1) / (2.0 * variance);
        assert_close(
            sprt.log_likelihood_ratio(&counts),
            expected,
            0.02 * expected,
        );
        assert!(expected > 1.0);
    }

    #[test]
    fn likeliest_frequencies_have_the_mean_and_sum_to_one() {
        let seen = [(0.0, 0.2), (0.5, 0.3), (1.0, 0.5)];
        for mean in [0.1, 0.5, 0.65, 0.9] {
            let found = likeliest(&seen, mean);
            let sum: f64 = found.iter().sum();
            let weighted: f64 = found
                .iter()
                .zip(&seen)
                .map(|(p, (score, _))| p * score)
                .sum();
            assert_close(sum, 1.0, 1e-9);
            assert_close(weighted, mean, 1e-9);
        }
        // With the mean that was seen, nothing moves.
        let found = likeliest(&seen, 0.65);
        assert_close(found[1], 0.3, 1e-9);
    }

    #[test]
    fn it_stops_when_it_is_sure() {
        let sprt = Sprt::default();
        let at = |counts: [u64; OUTCOMES]| sprt.verdict(sprt.log_likelihood_ratio(&counts));
        assert_eq!(at([0; OUTCOMES]), None);
        assert_eq!(at([1, 2, 3, 2, 1]), None);
        assert_eq!(at([0, 0, 5, 20, 75]), Some(SprtVerdict::Alternative));
        assert_eq!(at([75, 20, 5, 0, 0]), Some(SprtVerdict::Null));
        assert_eq!(at([30, 60, 120, 60, 30]), Some(SprtVerdict::Null));
    }
}
