//! What every move of a contest may cost.

use gdl_agent::search::TimeControl;
use gdl_network::protocol::Clocks;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What a move may cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveBudget {
    /// A number of simulations: games can be repeated.
    Simulations(u64),
    /// Simulations until these have made a number of moves: games can be repeated.
    Steps(u64),
    /// A number of seconds.
    Seconds(f64),
    /// The clocks of a host, which waits for a move no longer than that.
    Clocks(Clocks),
}

impl MoveBudget {
    /// The budget of a time such as `1s`, `200ms` or `1m 30s`.
    ///
    /// # Errors
    /// If the text is not a time, or zero.
    pub fn time(text: &str) -> Result<Self, String> {
        let time = humantime::Duration::from_str(text)
            .map_err(|error| format!("{error}; write a time as in 1s or 200ms"))?;
        if time.is_zero() {
            return Err("a move needs some time".to_owned());
        }
        Ok(Self::Seconds(time.as_secs_f64()))
    }

    /// Whether it is counted rather than measured.
    #[must_use]
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Simulations(_) | Self::Steps(_))
    }

    /// The budget as searches take it.
    #[must_use]
    pub fn time_control(self) -> TimeControl {
        match self {
            Self::Simulations(count) => TimeControl::Simulations(count),
            Self::Steps(count) => TimeControl::Steps(count),
            Self::Seconds(seconds) => {
                let time = Duration::try_from_secs_f64(seconds);
                TimeControl::Time(time.unwrap_or(Duration::MAX))
            }
            Self::Clocks(clocks) => TimeControl::Time(clocks.play()),
        }
    }

    /// The budget as part of a file name.
    pub(crate) fn word(self) -> String {
        match self {
            Self::Simulations(count) => format!("{count}sims"),
            Self::Steps(count) => format!("{count}steps"),
            Self::Seconds(seconds) => format!("{seconds}s"),
            Self::Clocks(clocks) => format!("{}+{}s", clocks.start, clocks.play),
        }
    }
}

impl fmt::Display for MoveBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulations(count) => {
                write!(f, "{} simulations", indicatif::HumanCount(*count))
            }
            Self::Steps(count) => write!(f, "{} steps", indicatif::HumanCount(*count)),
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::Clocks(clocks) => write!(f, "{} s after {} s", clocks.play, clocks.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_do() {
        assert_eq!(MoveBudget::time("1s"), Ok(MoveBudget::Seconds(1.0)));
        assert_eq!(MoveBudget::time("200ms"), Ok(MoveBudget::Seconds(0.2)));
        assert_eq!(MoveBudget::time("1m 30s"), Ok(MoveBudget::Seconds(90.0)));
        for wrong in ["", "1", "0s", "-1s", "soon"] {
            assert!(MoveBudget::time(wrong).is_err(), "{wrong}");
        }
    }
}
