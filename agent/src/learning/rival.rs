//! A network that does without some features, to find out by games whether these are worth it.
//!
//! How well results are predicted does not tell: in some games, features that help to predict
//! random games lead to worse play. So a network with them and one without, both of which have
//! learned from random games, play each other in the first round of self-play, and one of the
//! two goes on learning.

use super::fitting::NetworkFitting;
use super::network::ValueNetwork;
use super::training::Trainer;

/// The share of all goals that features have to win in a round: they also take time in a search.
const FEWEST_GOALS: f64 = 0.63;

/// A network that does without the last features.
pub(super) struct Rival {
    pub(super) fitting: NetworkFitting,
    /// The number of features that it sees.
    features: usize,
}

impl Rival {
    /// A rival that sees the first `features` features, and ignores the others.
    pub(super) fn new(network: ValueNetwork, features: usize) -> Self {
        let trainer = Trainer::new(network, 0.0).ignoring_all_but(features);
        Self {
            fitting: NetworkFitting::new(trainer),
            features,
        }
    }

    /// Whether the features it does without are of no use, judging by the share of all goals that
    /// the network with them had in a round of games between the two.
    pub(super) fn is_preferred(score: f64) -> bool {
        score < FEWEST_GOALS
    }

    /// The same without what it ignores.
    pub(super) fn into_plain(self) -> NetworkFitting {
        self.fitting.with_first(self.features)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::learning::network::ValueHeads;
    use crate::learning::samples::Samples;
    use crate::learning::time_slice::TimeSlice;

    /// A rival learns nothing from what it ignores, and loses nothing with it.
    #[test]
    fn rivals_see_the_first_features_only() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let network = ValueNetwork::new(128, ValueHeads::ConstantSum, &mut random);
        let mut rival = Rival::new(network, 70);
        // Feature 3 tells half of the results, feature 100 all of them.
        let mut samples = Samples::new(2, 2);
        for number in 0..4000_u64 {
            let won = number % 2 == 0;
            let told = number % 4 < 2;
            let features = [u64::from(won && told) << 3, u64::from(won) << (100 - 64)];
            let result = if won { [100, 0] } else { [0, 100] };
            let targets = result.map(|goal| goal as f32 / 100.0);
            samples.push(&features, &result, &targets);
        }
        rival.fitting.add_round(samples, &mut random);
        let stop_flag = gdl_runtime::stop_flag::StopFlag::default();
        let slice = TimeSlice {
            end: std::time::Instant::now() + std::time::Duration::from_secs(5),
            stop_flag: &stop_flag,
        };
        for _ in 0..20 {
            rival.fitting.fit(slice, 0.02, &mut random);
        }
        let value = |network: &ValueNetwork, features: &[u64]| {
            let mut values = [0.0; 2];
            network.values(features, &mut values);
            values[0]
        };
        let known = rival.fitting.trainer.network().clone();
        let states = [[0, 0], [1 << 3, 0], [0, 1 << 36], [1 << 3, 1 << 36]];
        let [none, first, last, both] = states.map(|state| value(&known, &state));
        assert!(first > 0.9 && none < 0.5, "{none} {first}");
        assert_eq!((last, both), (none, first));

        let plain = rival.into_plain();
        assert_eq!(plain.trainer.network().features(), 128);
        assert_eq!(value(plain.trainer.network(), &[1 << 3, 0]), first);
    }
}
