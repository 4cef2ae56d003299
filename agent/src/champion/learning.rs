//! What a champion learns with and searches by in one game.

use std::iter;

use gdl_runtime::stop_flag::StopFlag;

use super::choice::ChampionSearch;
use super::foresight::Foresight;
use crate::learning::Learner;
use crate::puct::EvaluatedSearch;

/// The learner of a game, and the searches that use what it has learned.
pub(super) struct ChampionLearning {
    pub(super) learner: Learner,
    pub(super) evaluation: EvaluatedSearch,
    /// `None` if there is no mixture to try.
    pub(super) mixture: Option<EvaluatedSearch>,
    /// The weights of the logits of network and playouts in the mixture.
    pub(super) weights: [f32; 2],
}

impl ChampionLearning {
    /// The searches by evaluation.
    pub(super) fn evaluated(&mut self) -> impl Iterator<Item = &mut EvaluatedSearch> {
        iter::once(&mut self.evaluation).chain(&mut self.mixture)
    }

    /// The search by evaluation that this choice stands for; `None` for playouts.
    pub(super) fn search(&mut self, plays: ChampionSearch) -> Option<&mut EvaluatedSearch> {
        match plays {
            ChampionSearch::Evaluation => Some(&mut self.evaluation),
            ChampionSearch::Mixture => self.mixture.as_mut(),
            ChampionSearch::Playouts => None,
        }
    }

    /// From now on, searches by the network that was learned. `false` if there is none.
    pub(super) fn use_network(&mut self) -> bool {
        let Some(network) = self.learner.network() else {
            return false;
        };
        let features = self.learner.features();
        if let Some(mixture) = &mut self.mixture {
            let [own, playouts] = self.weights;
            mixture.set_network(network.clone().scaled(own), features.clone());
            mixture.set_playout_weight(playouts);
        }
        self.evaluation.set_network(network, features);
        true
    }

    /// Measures how well the network and playouts predict results, and weights them in the mixture
    /// accordingly.
    pub(super) fn measure_foresight(&mut self, stop_flag: &StopFlag) -> Option<Foresight> {
        let network = self.learner.network()?;
        let mixture = self.mixture.as_mut()?;
        let foresight = Foresight::measure(&mut self.learner, &network, mixture, stop_flag)?;
        if foresight.favours_mixture() {
            self.weights = foresight.weights;
            self.use_network();
        }
        Some(foresight)
    }
}
