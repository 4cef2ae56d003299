//! Decides what to play by, based on how well the network and playouts foresee results,
//! and on quick games.
//!
//! A few quick games cannot tell a good search from a better one (docs/strength-experiments.md),
//! so foresight decides between evaluation and mixture. But quick games do show where an evaluation
//! fails however much it foresees, for instance because it takes too long to compute: it gives way
//! to playouts if it clearly loses against them. Without foresight, and where playouts foresee more
//! than the network, the evaluation has to win.

use std::time::Duration;

use gdl_runtime::stop_flag::StopFlag;

use super::choice::{ChampionChoice, ChampionSearch};
use super::foresight::Foresight;
use super::learning::ChampionLearning;
use super::trials::{TrialScore, TrialSearch, Trials};
use crate::search::Search;

/// The share of the time left after learning for quick games: where foresight is trusted, and
/// where it is not.
const CHECK_SHARE: f64 = 0.5;
const TRIAL_SHARE: f64 = 0.9;

/// The score in quick games against playouts below which a trusted evaluation is given up, and
/// the fewest games for that.
const AGAINST: f64 = 0.2;
const FEWEST_AGAINST: u32 = 4;

impl ChampionChoice {
    /// The search to prefer, given how well the network and playouts predict results.
    pub(super) fn by_foresight(learning: &mut ChampionLearning, stop_flag: &StopFlag) -> Self {
        let foresight = learning.measure_foresight(stop_flag);
        Self {
            games: learning.learner.games(),
            threads: learning.learner.threads(),
            loss: learning.learner.loss(),
            foresight,
            tried: None,
            plays: ChampionSearch::preferred_by(foresight),
        }
    }

    /// Plays quick games between the preferred search and search by playouts in part of the
    /// remaining time, and switches to playouts if the games favour them.
    pub(super) fn try_against_playouts(
        &mut self,
        learning: &mut ChampionLearning,
        plain: &mut Search,
        left: Duration,
        stop_flag: &StopFlag,
    ) {
        let ChampionLearning {
            learner,
            evaluation,
            mixture,
            ..
        } = learning;
        let share = match self.trusts_foresight() {
            true => CHECK_SHARE,
            false => TRIAL_SHARE,
        };
        let preferred: &mut dyn TrialSearch = match (self.plays, mixture) {
            (ChampionSearch::Mixture, Some(mixture)) => mixture,
            _ => evaluation,
        };
        let mut trials = Trials {
            searches: [preferred, plain],
            stop_flag,
        };
        let score = trials.play(left.mul_f64(share), learner);
        self.tried = Some((self.plays, score));
        if !self.holds_against_playouts(&score) {
            self.plays = ChampionSearch::Playouts;
        }
    }

    /// Whether the network is known to predict results at least as well as playouts do.
    fn trusts_foresight(&self) -> bool {
        let foresees_most = |foresight: Foresight| foresight.network <= foresight.playouts;
        self.foresight.is_some_and(foresees_most)
    }

    /// Whether this score in quick games is enough to play by evaluation. It has to be clear where
    /// foresight was not measured, and where playouts predict results better.
    fn holds_against_playouts(&self, score: &TrialScore) -> bool {
        match self.trusts_foresight() {
            true => score.games < FEWEST_AGAINST || !score.is_below(AGAINST),
            false => score.is_for_first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foresight(both: f32) -> Foresight {
        Foresight {
            network: 0.6,
            playouts: 0.65,
            both,
            weights: [0.9, 0.3],
        }
    }

    /// Whether an evaluation that won this many of a number of quick games is kept, with or without
    /// foresight.
    fn is_kept_after(games: u32, won: u32, foresight: Option<Foresight>) -> bool {
        let mut score = TrialScore::default();
        for game in 0..games {
            let goal = if game < won { 100 } else { 0 };
            score.add(&[goal, 100 - goal], |role| role);
        }
        let choice = ChampionChoice {
            games: 1,
            threads: 1,
            loss: None,
            foresight,
            tried: None,
            plays: ChampionSearch::Evaluation,
        };
        choice.holds_against_playouts(&score)
    }

    #[test]
    fn what_an_evaluation_has_to_score_depends_on_foresight() {
        let known = Some(foresight(0.6));
        let is_kept = |won, foresight| is_kept_after(8, won, foresight);
        assert!(is_kept(2, known) && !is_kept(1, known));
        assert!(is_kept_after(3, 1, known));
        let by_playouts = Some(Foresight {
            playouts: 0.59,
            ..foresight(0.58)
        });
        assert!(is_kept(5, by_playouts) && !is_kept(4, by_playouts));
        assert!(is_kept(5, None) && !is_kept(4, None));
    }

    #[test]
    fn a_mixture_plays_where_playouts_add_something() {
        let (nothing_added, something_added) = (foresight(0.6), foresight(0.58));
        let preferred = |both| ChampionSearch::preferred_by(Some(both));
        assert_eq!(preferred(nothing_added), ChampionSearch::Evaluation);
        assert_eq!(preferred(something_added), ChampionSearch::Mixture);
    }
}
