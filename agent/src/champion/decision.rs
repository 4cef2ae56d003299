//! The decision by what to play: by what the network and playouts foresee, and by quick games.
//!
//! Quick games are few, so that only clear results count against what is foreseen. In the games
//! where search by evaluation is weaker than playouts at the time of real moves, it also
//! foresees results worse, but it wins quick games: playouts gain more from time.

use std::time::{Duration, Instant};

use gdl_runtime::stop_flag::StopFlag;

use super::choice::{ChampionChoice, ChampionSearch};
use super::learning::ChampionLearning;
use super::trials::{TrialScore, TrialSearch, Trials};
use crate::search::Search;

/// The share of the quick games that is between the searches by evaluation.
const MIXTURE_SHARE: f64 = 0.4;

/// The score in quick games against playouts below which a trusted evaluation is given up.
const AGAINST: f64 = 0.35;

/// The score below which it is given up in games of more roles than are trusted: for these,
/// evaluations are known that quick games flattered.
const EVEN: f64 = 0.5;
const TRUSTED_ROLES: usize = 2;

impl ChampionChoice {
    /// The search that is preferred by what the network and playouts foresee.
    pub(super) fn by_foresight(learning: &mut ChampionLearning, stop_flag: &StopFlag) -> Self {
        let foresight = learning.measure_foresight(stop_flag);
        Self {
            games: learning.learner.games(),
            threads: learning.learner.threads(),
            loss: learning.learner.history().last().map(|round| round.loss),
            foresight,
            mixture: None,
            playouts: None,
            plays: match foresight {
                Some(foresight) if foresight.favours_playouts() => ChampionSearch::Playouts,
                Some(foresight) if foresight.favours_mixture() => ChampionSearch::Mixture,
                _ => ChampionSearch::Evaluation,
            },
        }
    }

    /// Decides by quick games by what to play: first between the searches by evaluation, if
    /// a mixture foresees results better, then between the better of them and the search by
    /// playouts.
    pub(super) fn decide(
        &mut self,
        learning: &mut ChampionLearning,
        plain: &mut Search,
        time: Duration,
        stop_flag: &StopFlag,
    ) {
        let begun = Instant::now();
        let ChampionLearning {
            learner,
            evaluation,
            mixture,
            ..
        } = learning;
        let mut better: &mut dyn TrialSearch = evaluation;
        if let (ChampionSearch::Mixture, Some(mixture)) = (self.plays, mixture) {
            let mut trials = Trials {
                searches: [better, mixture],
                stop_flag,
            };
            let score = trials.play(time.mul_f64(MIXTURE_SHARE), learner);
            let [evaluation, mixture] = trials.searches;
            self.mixture = Some(score);
            (better, self.plays) = match score.is_for_first() {
                true => (evaluation, ChampionSearch::Evaluation),
                false => (mixture, ChampionSearch::Mixture),
            };
        }
        let mut trials = Trials {
            searches: [better, plain],
            stop_flag,
        };
        let score = trials.play(time.saturating_sub(begun.elapsed()), learner);
        self.playouts = Some(score);
        if !self.holds_against_playouts(&score, learner.expander().roles()) {
            self.plays = ChampionSearch::Playouts;
        }
    }

    /// Whether this score in quick games is enough to play by evaluation. It has to be clear where
    /// too little was learned to tell what is foreseen, and in games of more roles where playouts
    /// add something to the network: in yavalath and the public 3pConnectFour, of three roles,
    /// such an evaluation lost at the time of real moves.
    fn holds_against_playouts(&self, score: &TrialScore, roles: usize) -> bool {
        match self.foresight {
            Some(_) if roles <= TRUSTED_ROLES => !score.is_below(AGAINST),
            Some(foresight) if !foresight.favours_mixture() => !score.is_below(EVEN),
            _ => score.is_for_first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::champion::foresight::Foresight;

    /// Whether an evaluation is kept that scored this many of 100 points in quick games, where
    /// playouts lower the loss of its foresight to this.
    fn is_kept(points: f64, both: Option<f32>, roles: usize) -> bool {
        let score = TrialScore {
            games: 8,
            goals: [(points, 8), (100.0 - points, 8)],
        };
        let choice = ChampionChoice {
            games: 1,
            threads: 1,
            loss: None,
            foresight: both.map(|both| Foresight {
                network: 0.6,
                playouts: 0.65,
                both,
                weights: [0.9, 0.3],
            }),
            mixture: None,
            playouts: None,
            plays: ChampionSearch::Evaluation,
        };
        choice.holds_against_playouts(&score, roles)
    }

    #[test]
    fn what_an_evaluation_has_to_score_depends_on_roles_and_foresight() {
        let (nothing_added, something_added) = (Some(0.6), Some(0.58));
        for both in [nothing_added, something_added] {
            assert!(is_kept(40.0, both, 2) && !is_kept(30.0, both, 2));
        }
        assert!(is_kept(52.0, nothing_added, 3) && !is_kept(48.0, nothing_added, 3));
        assert!(is_kept(62.0, something_added, 3) && !is_kept(55.0, something_added, 3));
        assert!(is_kept(62.0, None, 2) && !is_kept(55.0, None, 2));
    }
}
