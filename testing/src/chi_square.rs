//! Pearson's chi-square test, for the suites that ask whether a choice is fair.

/// Samples whose p-value is below this are not fair. The seeds are fixed, so a
/// suite that passes once passes always; at another seed one in a million such
/// tests fails by chance.
pub const LEAST_P: f64 = 1e-6;

/// The probability that fair draws deviate from what is expected at least as
/// much as these counts do.
///
/// # Panics
/// If a count is expected to be below 5, where the statistic's distribution is
/// not yet a chi-square.
pub fn p_value(counts: &[u64], weights: &[f64]) -> f64 {
    assert_eq!(counts.len(), weights.len());
    let draws: u64 = counts.iter().sum();
    let total: f64 = weights.iter().sum();
    let statistic = counts.iter().zip(weights).map(|(&count, weight)| {
        let expected = draws as f64 * weight / total;
        assert!(
            expected >= 5.0,
            "{draws} draws for {} outcomes",
            counts.len()
        );
        (count as f64 - expected).powi(2) / expected
    });
    upper_tail(counts.len() - 1, statistic.sum())
}

/// Panics, naming the case, if the outcomes are not equally likely.
pub fn assert_uniform(counts: &[u64], case: &str) {
    assert_weighted(counts, &vec![1.0; counts.len()], case);
}

/// Panics, naming the case, if the outcomes are not in proportion to their
/// weights.
pub fn assert_weighted(counts: &[u64], weights: &[f64], case: &str) {
    let p = p_value(counts, weights);
    assert!(p > LEAST_P, "{case}: p = {p:e} for {counts:?}");
}

/// The probability that a chi-square variable exceeds `x`: the regularised upper
/// incomplete gamma function at half of both, by the series of the lower one
/// (Abramowitz and Stegun, 6.5.29). Exact to some 1e-12.
pub fn upper_tail(degrees: usize, x: f64) -> f64 {
    if degrees == 0 || x <= 0.0 {
        return 1.0;
    }
    let (a, x) = (degrees as f64 / 2.0, x / 2.0);
    // All terms share x^a e^-x / Γ(a + 1), and Γ steps down to 1 or √π / 2.
    let mut scale = a * x.ln() - x;
    let mut factor = a;
    while factor > 0.75 {
        scale -= factor.ln();
        factor -= 1.0;
    }
    if factor > 0.25 {
        scale -= (std::f64::consts::PI.sqrt() / 2.0).ln();
    }
    let (mut term, mut sum, mut n) = (1.0, 0.0, a);
    while term > sum * 1e-17 {
        sum += term;
        n += 1.0;
        term *= x / n;
    }
    (1.0 - (scale + sum.ln()).exp()).max(0.0)
}
