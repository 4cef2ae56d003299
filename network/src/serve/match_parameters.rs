//! The parameters of a match, as its START message gives them.

use std::sync::Arc;
use std::time::Duration;

/// The parameters of a match.
pub struct MatchParameters {
    /// The name of the match.
    pub id: String,
    /// The rules.
    pub rules: Arc<str>,
    /// The name of our role.
    pub role: String,
    /// The time until we must be ready.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
    /// The text of the agent that plays our role.
    pub agent: String,
}

impl MatchParameters {
    /// The time without messages after which the host is assumed to be gone.
    pub fn patience(&self) -> Duration {
        3 * self.start_clock.max(self.play_clock) + Duration::from_secs(30)
    }
}
