//! The time for a part of the learning.

use std::time::{Duration, Instant};

use gdl_runtime::stop_flag::StopFlag;

/// A part of the learning, which ends at an instant or when a flag is raised.
#[derive(Clone, Copy)]
pub struct TimeSlice<'a> {
    /// When it ends at the latest.
    pub end: Instant,
    /// Ends it when raised.
    pub stop_flag: &'a StopFlag,
}

impl TimeSlice<'_> {
    pub(super) fn goes_on(&self) -> bool {
        !self.stop_flag.is_raised() && Instant::now() < self.end
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// A part of it that ends after this time.
    pub(super) fn until(self, time: Duration) -> Self {
        let end = Instant::now() + time;
        Self {
            end: end.min(self.end),
            ..self
        }
    }
}
