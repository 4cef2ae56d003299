//! What pages may use.

use std::time::Duration;

use gdl_agent::search::SearchLimits;

/// The longest time for a move or for preparing, in seconds.
const LONGEST_SECONDS: f64 = 3600.0;

/// Limits of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of pages at a time. A page runs one search at a time.
    pub pages: usize,
    /// The maximum size of the trees of a search, in bytes. A page may have one search per role,
    /// one per agent that analyses, and one that values the states of a match.
    pub memory: usize,
    /// The maximum size of a message from a page, in bytes.
    pub message: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pages: 64,
            memory: 256 << 20,
            message: 4 << 20,
        }
    }
}

/// The times of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MatchClocks {
    /// Before the first move.
    pub(crate) start: Duration,
    /// For every move.
    pub(crate) play: Duration,
}

impl Limits {
    pub(crate) fn search(&self) -> SearchLimits {
        SearchLimits {
            memory: self.memory,
            ..SearchLimits::default()
        }
    }
}

impl MatchClocks {
    /// The clocks that a page asks for, limited to what is allowed.
    pub(crate) fn new(seconds: f64, start_seconds: f64) -> Self {
        Self {
            start: duration(start_seconds, 0.0),
            play: duration(seconds, 0.01),
        }
    }
}

/// A duration of at least `least` seconds, and exactly that if `seconds` is not finite.
pub(crate) fn duration(seconds: f64, least: f64) -> Duration {
    let seconds = if seconds.is_finite() { seconds } else { least };
    Duration::from_secs_f64(seconds.clamp(least, LONGEST_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_within_reason_whatever_is_asked_for() {
        for odd in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
            let clocks = MatchClocks::new(odd, odd);
            assert!(clocks.play >= Duration::from_millis(10), "{odd}");
            assert!(clocks.play <= Duration::from_secs(3600), "{odd}");
            assert!(clocks.start <= Duration::from_secs(3600), "{odd}");
        }
    }
}
