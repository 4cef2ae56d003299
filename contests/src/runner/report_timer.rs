//! How often runners report on games that go on.

use std::time::{Duration, Instant};

/// The least time between two reports on one game, so that quick games are not
/// slowed down by reporting.
const INTERVAL: Duration = Duration::from_secs(1);

/// Tells when to report on a game again.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportTimer {
    last: Instant,
}

impl ReportTimer {
    /// Starts now, as if a report had just been made.
    pub(super) fn start() -> Self {
        Self {
            last: Instant::now(),
        }
    }

    /// Whether a report is due; the timer then starts again.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = now - self.last >= INTERVAL;
        if due {
            self.last = now;
        }
        due
    }
}
