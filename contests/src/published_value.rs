//! Values that were published, to compare with.

use crate::statistics::interval::Z;
use serde::{Deserialize, Serialize};

/// A published value to compare with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PublishedValue {
    /// The score of the first agent, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Half the width of its 95 % interval, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<f64>,
    /// The number of games of which it is the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The mean of its column, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overall: Option<f64>,
    /// The table in which it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Its row there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Its column there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

impl PublishedValue {
    /// The standard error, in per cent; 0 if no interval was published.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.interval.unwrap_or(0.0) / Z
    }

    /// The share of drawn games, from 0 to 1, that follows from the interval: with mean
    /// score p and share d the variance of a game is p(1 − p) − d/4, and that of the mean
    /// is estimated as 1/(n − 1) of it. `None` if interval or games were not published.
    ///
    /// Rounding to hundredths of a per cent leaves an error of a few thousandths.
    #[must_use]
    pub fn draws(&self) -> Option<f64> {
        let (percent, half, games) = (self.percent?, self.interval?, self.games? as f64);
        let score = percent / 100.0;
        let error = half / 100.0 / Z;
        let variance = error * error * (games - 1.0);
        Some((4.0 * (score * (1.0 - score) - variance)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(percent: f64, interval: f64, games: u64) -> f64 {
        let value = PublishedValue {
            percent: Some(percent),
            interval: Some(interval),
            games: Some(games),
            ..PublishedValue::default()
        };
        value.draws().expect("all is known")
    }

    /// 180 wins, 60 draws and 60 losses of 300: p = 0.7, the sum of squares is 195, and the
    /// sample's variance (195 − 300·0.49)/299 = 0.160535, so that the half width is
    /// 1.96·sqrt(0.160535/300) = 4.534 %.
    #[test]
    fn intervals_tell_how_many_games_were_drawn() {
        assert!((draws(70.0, 4.534, 300) - 0.2).abs() < 1e-3);
        // Breakthrough has no draws: 270 of 300 won.
        assert!(draws(90.0, 3.40, 300) < 0.005);
    }

    #[test]
    fn nothing_follows_from_a_bare_value() {
        let bare = PublishedValue {
            percent: Some(70.0),
            ..PublishedValue::default()
        };
        assert_eq!((bare.draws(), bare.standard_error()), (None, 0.0));
    }
}
