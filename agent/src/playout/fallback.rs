//! Playout policies in order: each chooses where those before it have no preference.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::history::MoveHistory;
use super::weights::choose_by_gibbs;
use super::{Playout, SamplingMode, Situation};
use crate::component::{Component, Slot};

/// The component.
pub const COMPONENT: Component = Component {
    name: "fallback",
    slot: Slot::Combination,
    summary: "of several playout policies, the first that has a preference in a state chooses \
              there (fast has none where nothing can be captured), otherwise the last",
    source: "Finnsson 2012, table 2 (RAVE/MAST/FAST), in the second of two readings",
    parameters: &[],
    build: |builder, _, _| builder.combine_playouts(PolicyFallback::new),
};

/// Policies in order, of which the first that prefers some move in a state chooses there,
/// or the last if none does.
///
/// The paper of 2012 plays with MAST and FAST at once, and does not say how they share the
/// choice. This is the reading in which FAST chooses where it can tell moves apart, and MAST
/// elsewhere; in the other one both guide every move (`product`). Where FAST rates cells, it
/// rates every move, and this is FAST alone.
///
/// If the first policy does not depend on the state, lanes keep its weights, and it alone
/// chooses. Otherwise the policies are asked in every state of every lane: per simulation, it
/// costs what the first one costs, and the others where they are asked.
pub struct PolicyFallback {
    policies: Vec<Box<dyn Playout>>,
    logarithms: Vec<f32>,
}

impl PolicyFallback {
    /// Of these policies, in order.
    #[must_use]
    pub fn new(policies: Vec<Box<dyn Playout>>) -> Self {
        Self {
            policies,
            logarithms: Vec::new(),
        }
    }
}

impl Playout for PolicyFallback {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        match self.policies.first_mut().map(|first| first.sampling_mode()) {
            Some(SamplingMode::Weighted(weights)) => SamplingMode::Weighted(weights),
            _ => SamplingMode::PerLane,
        }
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.choose_after(situation, &MoveHistory::UNKNOWN, random)
    }

    fn choose_after(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let Some((last, others)) = self.policies.split_last_mut() else {
            return 0;
        };
        for policy in others {
            self.logarithms.clear();
            if policy.preferences(situation, history, random, &mut self.logarithms) {
                return choose_by_gibbs(self.logarithms.iter().copied(), 1.0, random);
            }
        }
        last.choose_after(situation, history, random)
    }

    fn combined(&self) -> &[Box<dyn Playout>] {
        &self.policies
    }

    fn combined_mut(&mut self) -> &mut [Box<dyn Playout>] {
        &mut self.policies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Episode;
    use crate::playout::PlayoutPlan;
    use crate::playout::mast::{LearningScope, Mast};
    use crate::playout::ngram::NGram;
    use crate::playout::sampling::MoveSampling;
    use gdl_runtime::engine::Move;
    use rand::SeedableRng;

    /// Prefers the second move in odd states.
    struct Odd;

    impl Playout for Odd {
        fn sampling_mode(&mut self) -> SamplingMode<'_> {
            SamplingMode::PerLane
        }

        fn choose(&mut self, _: &Situation<'_>, _: &mut Xoshiro256PlusPlus) -> usize {
            1
        }

        fn preferences(
            &mut self,
            situation: &Situation<'_>,
            _: &MoveHistory<'_>,
            _: &mut Xoshiro256PlusPlus,
            logarithms: &mut Vec<f32>,
        ) -> bool {
            logarithms.extend([0.0, 100.0]);
            situation.state[0] % 2 == 1
        }

        fn begin_playout(&mut self) -> PlayoutPlan {
            PlayoutPlan(3)
        }
    }

    /// A policy that does not compute its weights has preferences too.
    #[test]
    fn a_greedy_policy_chooses_before_others() {
        let greedy = NGram::new(1, 1.0, 0.0, MoveSampling::Greedy(0.0));
        let mast = Mast::new(&[2], 0.1, 0.0, LearningScope::Simulation);
        let mut policies: Vec<Box<dyn Playout>> = vec![Box::new(greedy), Box::new(mast)];
        for (policy, best) in policies.iter_mut().zip([1, 0]) {
            let episode = Episode {
                simulations: 1,
                goals: &[100],
                moves: &[best],
                inside: 0,
                states: &[],
            };
            policy.learn(0, &episode);
        }
        let mut fallback = PolicyFallback::new(policies);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let situation = Situation {
            role: 0,
            state: &[],
            moves: &[Move(0), Move(1)],
        };
        assert_eq!(fallback.choose(&situation, &mut random), 1);
    }

    #[test]
    fn the_second_chooses_where_the_first_has_no_preference() {
        let mut mast = Mast::new(&[2], 0.1, 0.0, LearningScope::Simulation);
        let episode = Episode {
            simulations: 1,
            goals: &[100],
            moves: &[0],
            inside: 0,
            states: &[],
        };
        mast.learn(0, &episode);
        let mut fallback = PolicyFallback::new(vec![Box::new(Odd), Box::new(mast)]);
        assert!(matches!(fallback.sampling_mode(), SamplingMode::PerLane));
        assert_eq!(fallback.begin_playout(), PlayoutPlan(3));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        for (state, best) in [(0, 0), (1, 1), (2, 0)] {
            let situation = Situation {
                role: 0,
                state: &[state],
                moves: &[Move(0), Move(1)],
            };
            // Odds of e¹⁰⁰ and more.
            assert_eq!(fallback.choose(&situation, &mut random), best);
        }
    }
}
