//! Confidence intervals of mean scores.

use std::iter::Sum;

/// The 97.5 % quantile of the normal distribution: half widths of intervals in standard
/// errors.
pub(crate) const Z: f64 = 1.96;

/// Scores from 0 to 1, as their number, sum and sum of squares.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scores {
    /// The number of scores.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

/// The method of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The mean ± 1.96 standard errors, as in the papers.
    Normal,
    /// Wilson's score interval (1927), used if all scores are the same, where the
    /// normal interval would have no width.
    Wilson,
}

/// A mean score with its 95 % interval, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The mean.
    pub score: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The method.
    pub method: Method,
}

impl Scores {
    /// Adds a score.
    pub fn add(&mut self, score: f64) {
        self.count += 1;
        self.sum += score;
        self.squares += score * score;
    }

    /// The mean; `None` if there are no scores.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The standard deviation, estimated from the sample; 0 for a single score.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        let count = self.count as f64;
        let squares = self.squares - self.sum * self.sum / count.max(1.0);
        (squares.max(0.0) / (count - 1.0).max(1.0)).sqrt()
    }

    /// The mean ± 1.96·sd/√n, cut off at 0 and 1, or Wilson's interval if sd is 0.
    /// `None` if there are no scores.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let score = self.mean()?;
        let count = self.count as f64;
        let deviation = self.deviation();
        // Rounding leaves a little if equal scores have no exact square.
        if deviation < 1e-6 {
            return Some(wilson(score, count));
        }
        let half = Z * deviation / count.sqrt();
        Some(Interval {
            score,
            lower: (score - half).max(0.0),
            upper: (score + half).min(1.0),
            method: Method::Normal,
        })
    }
}

/// Half the width of an interval. An end at 0 or 1 is cut off: the other end has the width.
pub(crate) fn half_width(score: f64, lower: f64, upper: f64) -> f64 {
    (score - lower).max(upper - score)
}

fn wilson(score: f64, count: f64) -> Interval {
    let z2 = Z * Z / count;
    let centre = (score + z2 / 2.0) / (1.0 + z2);
    let half = Z / (1.0 + z2) * (score * (1.0 - score) / count + z2 / (4.0 * count)).sqrt();
    // Exactly 0 and 1 at the ends of the scale, despite rounding.
    Interval {
        score,
        lower: if score == 0.0 { 0.0 } else { centre - half },
        upper: if score == 1.0 { 1.0 } else { centre + half },
        method: Method::Wilson,
    }
}

impl FromIterator<f64> for Scores {
    fn from_iter<I: IntoIterator<Item = f64>>(scores: I) -> Self {
        let mut all = Self::default();
        scores.into_iter().for_each(|score| all.add(score));
        all
    }
}

impl Sum for Scores {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |all, part| Self {
            count: all.count + part.count,
            sum: all.sum + part.sum,
            squares: all.squares + part.squares,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5, "{found}, not {expected}");
    }

    /// 270 wins of 300: sd = sqrt(300/299 · 0.9 · 0.1) = 0.30050, and
    /// 1.96 · 0.30050 / sqrt(300) = 0.03400. The papers print 90.0 ± 3.40.
    #[test]
    fn nine_wins_in_ten() {
        let wins = (0..300).map(|game| f64::from(u8::from(game < 270)));
        let interval = wins.collect::<Scores>().interval().unwrap();
        assert_eq!(interval.method, Method::Normal);
        assert_close(interval.score, 0.9);
        assert_close(interval.lower, 0.9 - 0.03400);
        assert_close(interval.upper, 0.9 + 0.03400);
    }

    /// Scores 1, 1, 1/2, 0: mean 5/8, squared distances 18/64 + 1/64 + 25/64 =
    /// 44/64, sd = sqrt(44/192) = 0.47871, half width 0.46914.
    #[test]
    fn draws_count_half() {
        let scores: Scores = [1.0, 1.0, 0.5, 0.0].into_iter().collect();
        assert_close(scores.deviation(), 0.47871);
        let interval = scores.interval().unwrap();
        assert_close(interval.lower, 0.625 - 0.46914);
        assert_close(interval.upper, 1.0);
    }

    /// Ten wins of ten: Wilson's lower end is 10 / (10 + 1.96²) = 0.72246.
    #[test]
    fn scores_that_are_all_the_same_have_wilsons_interval() {
        let interval = [1.0; 10]
            .into_iter()
            .collect::<Scores>()
            .interval()
            .unwrap();
        assert_eq!(interval.method, Method::Wilson);
        assert_close(interval.lower, 0.72246);
        assert_eq!(interval.upper, 1.0);
        // Ten draws: centre 1/2, half width 1.96 / 1.38416 ·
        // sqrt(0.025 + 0.0096040) = 0.26341.
        let interval = [0.5; 10]
            .into_iter()
            .collect::<Scores>()
            .interval()
            .unwrap();
        assert_close(interval.lower, 0.5 - 0.26341);
        assert_close(interval.upper, 0.5 + 0.26341);
        let third = [1.0 / 3.0; 7].into_iter().collect::<Scores>();
        assert_eq!(third.interval().unwrap().method, Method::Wilson);
    }

    #[test]
    fn nothing_has_no_interval() {
        assert_eq!(Scores::default().interval(), None);
        let one: Scores = [1.0].into_iter().collect();
        assert_eq!(one.interval().unwrap().method, Method::Wilson);
    }
}
