//! Clocks on the command line and in files.

use crate::protocol::Clocks;

/// The default clocks.
pub const DEFAULT: Clocks = Clocks {
    preview: None,
    start: 30,
    play: 10,
};

/// The longest clock, one day, in seconds.
pub const LONGEST: u64 = 86_400;

/// Parses a clock on the command line.
#[must_use]
pub fn seconds() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=LONGEST)
}

/// Fills in a missing clock, in seconds; `None` if neither is given.
#[must_use]
pub fn complete(start: Option<u64>, play: Option<u64>) -> Option<Clocks> {
    (start.is_some() || play.is_some()).then(|| Clocks {
        preview: None,
        start: start.unwrap_or(DEFAULT.start),
        play: play.unwrap_or(DEFAULT.play),
    })
}
