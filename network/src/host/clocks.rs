//! Clocks as people give them.

use crate::protocol::Clocks;

/// Where nothing else is said.
pub const DEFAULT: Clocks = Clocks {
    preview: None,
    start: 30,
    play: 10,
};

/// A day is the longest clock.
pub const LONGEST: u64 = 86_400;

/// What a clock on the command line can be.
#[must_use]
pub fn seconds() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=LONGEST)
}

/// Clocks of which one or both are complete; none of none.
#[must_use]
pub fn complete(start: Option<u64>, play: Option<u64>) -> Option<Clocks> {
    (start.is_some() || play.is_some()).then(|| Clocks {
        preview: None,
        start: start.unwrap_or(DEFAULT.start),
        play: play.unwrap_or(DEFAULT.play),
    })
}
