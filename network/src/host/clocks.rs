//! Clocks on the command line and in files.

use crate::protocol::{ClockSeconds, Clocks};

/// The default clocks.
pub const DEFAULT: Clocks = Clocks {
    preview: None,
    start: ClockSeconds::whole(30),
    play: ClockSeconds::whole(10),
};

/// The longest clock for analysing the rules, one day, in seconds.
const LONGEST: u64 = 86_400;

/// Parses the clock for analysing the rules on the command line.
#[must_use]
pub fn preview() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=LONGEST)
}

/// Fills in a missing clock, in seconds; `None` if neither is given.
#[must_use]
pub fn complete(start: Option<ClockSeconds>, play: Option<ClockSeconds>) -> Option<Clocks> {
    (start.is_some() || play.is_some()).then(|| Clocks {
        preview: None,
        start: start.unwrap_or(DEFAULT.start),
        play: play.unwrap_or(DEFAULT.play),
    })
}
