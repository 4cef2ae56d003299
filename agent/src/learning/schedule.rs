//! When a learner does what: the shares of its time, and the learning rates over it.

use std::time::Duration;

/// The largest share of the time for finding patterns, and the longest time. Finding ends when
/// enough has been seen, which takes a tenth to a third of that on a fast processor. A network that
/// knows none of the existing patterns plays far worse.
const PATTERN_SHARE: f64 = 0.1;
const LONGEST_FINDING: Duration = Duration::from_secs(3);

/// The share of the time for learning from random games, and the longest time.
const RANDOM_SHARE: f64 = 0.08;
const MOST_RANDOM: Duration = Duration::from_secs(2);

/// The share of the time for learning from random games in which they are played.
pub(super) const RANDOM_PLAYING_SHARE: f64 = 0.4;

/// Rounds into which the rest of the time is divided, and the longest round; with several threads
/// it is shorter in proportion, so that their samples take no more memory.
const ROUNDS: u32 = 9;
const LONGEST_ROUND: Duration = Duration::from_secs(10);

/// The share of a round for self-play, if there is one thread; the rest is for training.
/// Where others play all the time, the first plays less, since it alone trains.
pub(super) const PLAYING_SHARE: f64 = 0.6;

/// Learning rates at the beginning, also if a network was known, and at the end.
pub(super) const FIRST_RATE: f64 = 0.005;
const CONTINUED_RATE: f64 = 0.002;
const LAST_RATE: f64 = 0.001;

/// The share of the time after which searches choose the moves of self-play, if there are any.
const BEFORE_SEARCHES: f64 = 0.75;

/// How often per round the findings of searches are learned, and the searches' share of the time.
pub(super) const BURSTS: u32 = 8;
pub(super) const SEARCHING_SHARE: f64 = 0.8;

/// Learning rates while searches choose the moves.
const FIRST_SEARCHING_RATE: f64 = 0.001;
const LAST_SEARCHING_RATE: f64 = 0.0003;

/// The time for learning at the beginning of a round.
#[derive(Debug, Clone, Copy)]
pub(super) struct LearningSchedule {
    /// All of the time, and what of it is over.
    time: Duration,
    done: Duration,
    /// The share of the time for learning from results; what follows is for searches.
    by_results: f64,
    longest_round: Duration,
}

impl LearningSchedule {
    /// The schedule of a learner on this number of threads that learns from results alone.
    pub(super) fn by_results(time: Duration, done: Duration, threads: usize) -> Self {
        Self {
            time,
            done,
            by_results: 1.0,
            longest_round: LONGEST_ROUND / threads as u32,
        }
    }

    /// The same with learning from searches at the end.
    pub(super) fn then_by_searches(self) -> Self {
        Self {
            by_results: BEFORE_SEARCHES,
            ..self
        }
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Duration {
        self.time.saturating_sub(self.done)
    }

    /// The time for finding patterns.
    pub(super) fn patterns(&self) -> Duration {
        self.time.mul_f64(PATTERN_SHARE).min(LONGEST_FINDING)
    }

    /// The time for learning from random games.
    pub(super) fn random_games(&self) -> Duration {
        self.time.mul_f64(RANDOM_SHARE).min(MOST_RANDOM)
    }

    fn round(&self) -> Duration {
        (self.time / (ROUNDS + 1)).min(self.longest_round)
    }

    /// Whether the next round is the last one: what would be too short for a round is added to it.
    pub(super) fn is_last(&self) -> bool {
        self.left() < self.round() * 3 / 2
    }

    /// The time for the next round.
    pub(super) fn next_round(&self) -> Duration {
        match self.is_last() {
            true => self.left(),
            false => self.round(),
        }
    }

    /// Whether the time for results is over before the middle of the next round.
    pub(super) fn is_for_searches(&self) -> bool {
        self.progress(self.round() / 2) >= self.by_results
    }

    /// The learning rate for results in the next round. `continues` says whether a network was
    /// known at the beginning.
    pub(super) fn rate(&self, continues: bool) -> f32 {
        let first = match continues {
            true => CONTINUED_RATE,
            false => FIRST_RATE,
        };
        let progress = self.progress(Duration::ZERO) / self.by_results;
        between(first, LAST_RATE, progress)
    }

    /// The learning rate while searches choose the moves, this time after the round began.
    pub(super) fn searching_rate(&self, elapsed: Duration) -> f32 {
        let progress = (self.progress(elapsed) - BEFORE_SEARCHES) / (1.0 - BEFORE_SEARCHES);
        between(FIRST_SEARCHING_RATE, LAST_SEARCHING_RATE, progress)
    }

    /// The share of all the time that is over this time after the round began.
    fn progress(&self, elapsed: Duration) -> f64 {
        (self.done + elapsed).as_secs_f64() / self.time.as_secs_f64()
    }
}

/// The number that is this share of the way from one to another, by equal factors.
fn between(first: f64, last: f64, share: f64) -> f32 {
    (first * (last / first).powf(share.clamp(0.0, 1.0))) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Learning of ten seconds when this many are over.
    fn after(seconds: f64) -> LearningSchedule {
        let time = Duration::from_secs(10);
        LearningSchedule::by_results(time, Duration::from_secs_f64(seconds), 1)
    }

    #[test]
    fn rounds_fill_the_time() {
        assert_eq!(after(0.0).patterns(), Duration::from_secs(1));
        assert_eq!(after(0.0).random_games(), Duration::from_millis(800));
        assert_eq!(after(1.0).next_round(), Duration::from_secs(1));
        assert!(!after(8.5).is_last() && after(8.6).is_last());
        assert_eq!(after(8.6).next_round(), Duration::from_millis(1400));
        let long = LearningSchedule::by_results(Duration::from_secs(600), Duration::ZERO, 4);
        assert_eq!(long.next_round(), Duration::from_millis(2500));
        assert_eq!(long.random_games(), Duration::from_secs(2));
    }

    #[test]
    fn searches_have_the_last_quarter() {
        let is_for_searches = |seconds| after(seconds).then_by_searches().is_for_searches();
        assert!(!is_for_searches(6.9) && is_for_searches(7.0));
        assert!(!after(9.0).is_for_searches());
    }

    #[test]
    fn rates_fall_to_the_end() {
        let near = |rate: f32, expected: f64| (f64::from(rate) / expected - 1.0).abs() < 1e-5;
        assert!(near(after(0.0).rate(false), FIRST_RATE));
        assert!(near(after(0.0).rate(true), CONTINUED_RATE));
        assert!(near(after(10.0).rate(false), LAST_RATE));
        let both = after(7.5).then_by_searches();
        assert!(near(both.rate(false), LAST_RATE));
        assert!(near(
            both.searching_rate(Duration::ZERO),
            FIRST_SEARCHING_RATE
        ));
        let end = Duration::from_millis(2500);
        assert!(near(both.searching_rate(end), LAST_SEARCHING_RATE));
    }
}
