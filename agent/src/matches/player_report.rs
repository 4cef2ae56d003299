//! What a player did in a match, as figures.

use std::time::Duration;

use crate::search::budget::TimeControl;
use crate::search::result::SearchResult;

/// How much longer than its time a move may take without counting as an
/// overrun: what a network and its host forgive.
pub const TOLERANCE: Duration = Duration::from_millis(50);

/// What a player did in a game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlayerReport {
    /// Simulations of all its searches.
    pub simulations: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Moves for which it searched.
    pub searches: u64,
    /// Whether its cutoff ended simulations early; none if it has none.
    pub cuts: Option<bool>,
    /// Moves that were not legal and were replaced. None of our agents makes
    /// any: such a game ends in an error.
    pub illegal: u64,
    /// Moves that took more than their time by more than [`TOLERANCE`], or by more
    /// than a host waits.
    pub overruns: u64,
    /// The most by which a move exceeded its time, overrun or not.
    pub longest_overrun: Duration,
}

impl PlayerReport {
    /// Counts a move that took so long, everything included.
    pub fn add(&mut self, result: &SearchResult, taken: Duration, time_control: TimeControl) {
        let report = &result.report;
        if report.simulations > 0 {
            self.simulations += report.simulations;
            self.seconds += report.elapsed.as_secs_f64();
            self.searches += 1;
            self.cuts = result.cuts.or(self.cuts);
        }
        if let TimeControl::Time(time) = time_control {
            let excess = taken.saturating_sub(time);
            self.overruns += u64::from(excess > TOLERANCE);
            self.longest_overrun = self.longest_overrun.max(excess);
        }
    }
}
