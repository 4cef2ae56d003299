//! A sequential test over the games of a contest.

use crate::journal::{GameLine, StoredContest};
use crate::statistics::score;
use crate::statistics::sprt::{OUTCOMES, Sprt, SprtVerdict};
use crate::summary::{SequentialReport, encounters};

/// A sequential test of whether the first agent of a contest is better than the
/// second.
///
/// It looks at the sets of games in the order of the schedule, never in the order in
/// which they end: short games would come first, and what is accepted would depend on
/// the machine.
#[derive(Debug, Clone)]
pub struct SequentialTest {
    sprt: Sprt,
    /// How often each outcome of a set has occurred so far.
    counts: [u64; OUTCOMES],
    /// The number of games looked at: whole sets from the first on, without a gap.
    games: u64,
    verdict: Option<SprtVerdict>,
}

impl SequentialTest {
    /// A test that has seen no games.
    #[must_use]
    pub fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            counts: [0; OUTCOMES],
            games: 0,
            verdict: None,
        }
    }

    /// Looks at the sets that are complete by now, up to the one that decides, and
    /// returns the number of games that count once the test is decided.
    pub fn look(&mut self, stored: &StoredContest) -> Option<u64> {
        while self.verdict.is_none() {
            let size = stored.configuration.schedule().set_size();
            let range = self.games..self.games + size;
            let set: Vec<&GameLine> = stored.games.range(range).map(|(_, game)| game).collect();
            if set.len() as u64 != size {
                return None;
            }
            let met = encounters(&stored.configuration, &set);
            let scores: Vec<f64> = met
                .iter()
                .filter_map(|goals| score::score(goals, 0))
                .collect();
            let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
            let last = (OUTCOMES - 1) as f64;
            self.counts[(mean * last).round() as usize] += 1;
            self.games += size;
            self.verdict = self.sprt.verdict(self.ratio());
        }
        Some(self.games)
    }

    fn ratio(&self) -> f64 {
        self.sprt.log_likelihood_ratio(&self.counts)
    }

    /// How far the test has come.
    #[must_use]
    pub fn report(&self) -> SequentialReport {
        let (lower_bound, upper_bound) = self.sprt.bounds();
        let accepted = self.verdict.map(|verdict| match verdict {
            SprtVerdict::Null => "H0".to_owned(),
            SprtVerdict::Alternative => "H1".to_owned(),
        });
        SequentialReport {
            llr: self.ratio(),
            lower_bound,
            upper_bound,
            accepted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{line, stored};

    /// The first agent wins everything.
    fn winning(numbers: impl Iterator<Item = u64>) -> StoredContest {
        let goals = |number: u64| {
            if number.is_multiple_of(2) {
                [100, 0]
            } else {
                [0, 100]
            }
        };
        stored(numbers.map(|number| line(number, &goals(number))))
    }

    #[test]
    fn it_counts_sets_up_to_the_first_gap() {
        let mut test = SequentialTest::new(Sprt::default());
        assert_eq!(test.look(&winning((0..9).filter(|&game| game != 5))), None);
        assert_eq!((test.games, test.counts), (4, [0, 0, 0, 0, 2]));
        assert_eq!(test.look(&winning(0..7)), None);
        assert_eq!(test.games, 6);
        assert_eq!(test.report().accepted, None);
    }

    #[test]
    fn it_stops_at_the_same_game_whatever_was_played_beyond() {
        let decided = |games: u64| SequentialTest::new(Sprt::default()).look(&winning(0..games));
        let (Some(needed), Some(among_more)) = (decided(100), decided(200)) else {
            panic!("a hundred wins are not enough");
        };
        assert_eq!(needed, among_more);
        assert_eq!(decided(needed - 1), None);
        let mut test = SequentialTest::new(Sprt::default());
        test.look(&winning(0..100));
        assert_eq!(test.report().accepted.as_deref(), Some("H1"));
    }
}
