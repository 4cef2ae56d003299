//! The current time in records and events.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current time, in milliseconds since 1970.
#[must_use]
pub fn unix_milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
