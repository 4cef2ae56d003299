//! What a player did in a match, as figures.

use std::time::Duration;

use crate::search::budget::TimeControl;
use crate::search::result::SearchResult;

/// How much longer than its time a move may take without counting as an overrun:
/// allows for networks and hosts.
pub const TOLERANCE: Duration = Duration::from_millis(50);

/// The figures of one player in a match.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayerReport {
    /// The number of simulations of all its searches; descents where it searches by evaluation.
    pub simulations: u64,
    /// The number of those that ended at a node whose value was known.
    pub known: u64,
    /// The number of states that a learned evaluation valued.
    pub evaluations: u64,
    /// The seconds that these took.
    pub seconds: f64,
    /// The number of moves for which it searched.
    pub searches: u64,
    /// Whether its cutoff ended simulations early; `None` if it has no cutoff.
    pub cuts: Option<bool>,
    /// What a champion learned and the search it plays by, in words; `None` if it is no champion.
    pub champion: Option<String>,
    /// The number of moves that were not legal and were replaced. Only remote players
    /// have any: an illegal move of an agent ends the match with an error.
    pub illegal: u64,
    /// The number of moves that exceeded their time by more than [`TOLERANCE`], or by
    /// more than a host waits.
    pub overruns: u64,
    /// The most by which a move exceeded its time, overrun or not.
    pub longest_overrun: Duration,
}

impl PlayerReport {
    /// Counts a move that took `taken` in all.
    pub fn add(&mut self, result: &SearchResult, taken: Duration, time_control: TimeControl) {
        let report = &result.report;
        if report.simulations > 0 {
            self.simulations += report.simulations;
            self.known += report.known;
            self.evaluations += report.evaluations;
            self.seconds += report.elapsed.as_secs_f64();
            self.searches += 1;
            self.cuts = result.cuts.or(self.cuts);
        }
        if let Some(choice) = &result.choice {
            self.champion = Some(choice.clone());
        }
        if let TimeControl::Time(time) = time_control {
            let excess = taken.saturating_sub(time);
            self.overruns += u64::from(excess > TOLERANCE);
            self.longest_overrun = self.longest_overrun.max(excess);
        }
    }
}

#[cfg(test)]
mod tests {
    use gdl_runtime::engine::Move;

    use super::*;

    #[test]
    fn what_a_champion_chose_is_kept() {
        let mut report = PlayerReport::default();
        let mut add = |choice: Option<&str>| {
            let result = SearchResult {
                choice: choice.map(str::to_owned),
                ..SearchResult::without_search(Move(0))
            };
            report.add(&result, Duration::ZERO, TimeControl::Simulations(1));
            report.champion.clone()
        };
        assert_eq!(add(None), None);
        assert_eq!(
            add(Some("plays by evaluation")).as_deref(),
            Some("plays by evaluation")
        );
        // A move without a search says nothing about it.
        assert_eq!(add(None).as_deref(), Some("plays by evaluation"));
        assert_eq!(
            add(Some("plays by playouts")).as_deref(),
            Some("plays by playouts")
        );
    }
}
