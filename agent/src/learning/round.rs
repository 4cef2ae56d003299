//! What a round of learning did.

use std::time::Duration;

use super::self_play::SelfPlayReport;
use super::workers::PlayedGames;

/// What a round of learning did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearningRound {
    /// The time spent on learning until then, without pauses between rounds.
    pub elapsed: Duration,
    /// Games and moves of self-play.
    pub played: SelfPlayReport,
    /// The time that self-play took, summed over all threads.
    pub playing: Duration,
    /// Whether searches chose the moves.
    pub by_searches: bool,
    /// The mean cross entropy of the round's samples that were held out, before they
    /// could have been learned from: a measure of how well results are predicted. `None` if nothing
    /// was held out.
    pub loss: Option<f32>,
    /// The network's share of all goals, 0 to 1, if it played one that does not see which role
    /// reaches what first.
    pub against_rival: Option<f64>,
}

/// What the bursts of a round by searches did together.
#[derive(Default)]
pub(super) struct BurstSums {
    report: SelfPlayReport,
    playing: Duration,
    /// The number of samples that were held out, and the sum of their losses.
    held: usize,
    pub(super) loss: f32,
}

impl BurstSums {
    /// Adds what was played in a burst. What was held out counts if there is something to learn.
    pub(super) fn add(&mut self, played: &PlayedGames) {
        self.report = self.report.plus(&played.report);
        self.playing += played.time;
        if !played.samples.is_empty() {
            self.held += played.held.len();
        }
    }

    /// The round, over after this time of learning.
    pub(super) fn conclude(self, elapsed: Duration) -> LearningRound {
        LearningRound {
            elapsed,
            played: self.report,
            playing: self.playing,
            by_searches: true,
            loss: (self.held > 0).then(|| self.loss / self.held as f32),
            against_rival: None,
        }
    }
}
