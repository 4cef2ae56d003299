//! Clocks of matches.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest clock, one day, in seconds.
const LONGEST: f64 = 86_400.0;

/// The shortest clock of a match, in seconds.
const SHORTEST: f64 = 0.05;

/// The time that players have for something, in seconds. The protocol counts whole seconds; our
/// host and player also understand fractions, which other players may not.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ClockSeconds(f64);

/// The number of seconds is not a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a clock has from {SHORTEST} to {LONGEST} seconds")]
pub struct NoClock;

impl ClockSeconds {
    /// A whole number of seconds.
    #[must_use]
    pub const fn whole(seconds: u32) -> Self {
        Self(seconds as f64)
    }

    /// A time.
    #[must_use]
    pub fn of(time: Duration) -> Self {
        Self(time.as_secs_f64())
    }

    /// The time.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::try_from_secs_f64(self.0).unwrap_or(Duration::MAX)
    }
}

impl TryFrom<f64> for ClockSeconds {
    type Error = NoClock;

    /// Accepts the clocks that a match can have.
    fn try_from(seconds: f64) -> Result<Self, NoClock> {
        let is_valid = (SHORTEST..=LONGEST).contains(&seconds);
        is_valid.then_some(Self(seconds)).ok_or(NoClock)
    }
}

impl FromStr for ClockSeconds {
    type Err = NoClock;

    fn from_str(text: &str) -> Result<Self, NoClock> {
        let seconds: f64 = text.parse().map_err(|_| NoClock)?;
        seconds.try_into()
    }
}

impl fmt::Display for ClockSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As a whole number if it is one, as other programs expect.
impl Serialize for ClockSeconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.fract() == 0.0 {
            true => serializer.serialize_u64(self.0 as u64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for ClockSeconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        match seconds.is_finite() && seconds >= 0.0 {
            true => Ok(Self(seconds)),
            false => Err(de::Error::custom("a clock cannot be negative")),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::ClockSeconds;

    #[test]
    fn clocks_are_whole_numbers_where_they_can_be() {
        for (text, json) in [
            ("2", "2"),
            ("0.2", "0.2"),
            ("10.0", "10"),
            ("86400", "86400"),
        ] {
            let clock: ClockSeconds = text.parse().unwrap();
            assert_eq!(serde_json::to_string(&clock).unwrap(), json);
            assert_eq!(clock.to_string(), json);
            assert_eq!(serde_json::from_str::<ClockSeconds>(json).unwrap(), clock);
        }
        for text in ["0", "-1", "0.01", "86401", "NaN", "inf", "", "2s"] {
            let error = text.parse::<ClockSeconds>().unwrap_err();
            assert_eq!(error.to_string(), "a clock has from 0.05 to 86400 seconds");
        }
        assert!(serde_json::from_str::<ClockSeconds>("-1").is_err());
    }
}
