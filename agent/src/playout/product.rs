//! The product of playout policies: all of them together guide every choice.

use gdl_runtime::engine::{Move, Role};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::history::MoveHistory;
use super::weights::{MoveWeights, WeightsVersion, choose_by_gibbs};
use super::{Playout, SamplingMode, Situation};
use crate::component::{Component, Slot};

/// The component.
pub const COMPONENT: Component = Component {
    name: "product",
    slot: Slot::Combination,
    summary: "of several playout policies, all that apply to the game are used: moves in \
              proportion to the product of the weights exp(Q(a)/τ) that each gives them",
    source: "Finnsson 2012, table 2 (RAVE/MAST/FAST), in the first of two readings",
    parameters: &[],
    build: |builder, _, game| {
        let moves = game.moves.clone();
        builder.combine_playouts(move |policies| PolicyProduct::new(policies, &moves));
    },
};

/// P(a) ∝ Π exp(Qᵢ(a)/τᵢ) over several policies, so that what one of them prefers is
/// strengthened or weakened by the others.
///
/// The paper of 2012 plays with MAST and FAST at once, and does not say how they share the
/// choice. This is the reading in which both guide every move; in the other one, MAST
/// chooses where FAST has no preference (`fallback`). ε-greedy policies take part with the
/// probabilities of their choices.
///
/// If no policy depends on the state, neither does the product, and the lanes keep its
/// weights: per simulation, it then costs the transfer of changed weights. Otherwise it is
/// asked in every state of every lane, and costs what the policies cost there together.
pub struct PolicyProduct {
    policies: Vec<Box<dyn Playout>>,
    /// The product of the policies' weights as logarithms, and the version of each policy's
    /// weights that it has.
    weights: MoveWeights,
    versions: Vec<WeightsVersion>,
    changed: Vec<(Role, Move)>,
    logarithms: Vec<f32>,
    sums: Vec<f32>,
}

impl PolicyProduct {
    /// Of these policies, in a game with this number of moves of each role.
    #[must_use]
    pub fn new(policies: Vec<Box<dyn Playout>>, moves: &[usize]) -> Self {
        Self {
            versions: vec![WeightsVersion::default(); policies.len()],
            policies,
            weights: MoveWeights::new(moves, 0.0, 1.0),
            changed: Vec::new(),
            logarithms: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Brings the product of weights up to date. False if a policy has none that are
    /// independent of the state.
    fn update(&mut self) -> bool {
        self.changed.clear();
        for (policy, version) in self.policies.iter_mut().zip(&mut self.versions) {
            match policy.sampling_mode() {
                SamplingMode::Uniform => {}
                SamplingMode::PerLane => return false,
                SamplingMode::Weighted(weights) => {
                    let changed = &mut self.changed;
                    weights.update(version, |role, mv, _| changed.push((role, mv)));
                }
            }
        }
        self.changed.sort_unstable();
        self.changed.dedup();
        for &(role, mv) in &self.changed {
            let policies = self.policies.iter_mut();
            let logarithms = policies.map(|policy| match policy.sampling_mode() {
                SamplingMode::Weighted(weights) => weights.logarithm(role, mv),
                _ => 0.0,
            });
            self.weights.set(role, mv, logarithms.sum());
        }
        true
    }
}

impl Playout for PolicyProduct {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        match self.update() {
            true => SamplingMode::Weighted(&mut self.weights),
            false => SamplingMode::PerLane,
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
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        let index = match self.preferences(situation, history, random, &mut sums) {
            true => choose_by_gibbs(sums.iter().copied(), 1.0, random),
            false => random.random_range(0..situation.moves.len()),
        };
        self.sums = sums;
        index
    }

    fn preferences(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
        logarithms: &mut Vec<f32>,
    ) -> bool {
        let start = logarithms.len();
        logarithms.resize(start + situation.moves.len(), 0.0);
        let mut prefers = false;
        for policy in &mut self.policies {
            self.logarithms.clear();
            if policy.preferences(situation, history, random, &mut self.logarithms) {
                prefers = true;
                let sums = logarithms[start..].iter_mut();
                sums.zip(&self.logarithms)
                    .for_each(|(sum, own)| *sum += own);
            }
        }
        prefers
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
    use crate::playout::mast::{LearningScope, Mast};
    use crate::playout::past::Past;
    use gdl_runtime::engine::MOST_WEIGHT;
    use rand::SeedableRng;

    /// A role makes a move and gets a goal value.
    fn learn(policy: &mut dyn Playout, mv: u32, goal: i32) {
        let episode = Episode {
            simulations: 10,
            goals: &[goal],
            moves: &[mv],
            inside: 0,
            states: &[1, 1],
        };
        policy.learn(0, &episode);
    }

    fn mast(temperature: f32) -> Box<dyn Playout> {
        let scope = LearningScope::Simulation;
        Box::new(Mast::new(&[3], temperature, 0.0, scope))
    }

    /// A product after moves that were worth 60, 50 and 20.
    fn learned(policies: Vec<Box<dyn Playout>>) -> PolicyProduct {
        let mut product = PolicyProduct::new(policies, &[3]);
        [60, 50, 20]
            .into_iter()
            .zip(0..)
            .for_each(|(goal, mv)| learn(&mut product, mv, goal));
        product
    }

    #[test]
    fn lanes_are_given_products_of_weights() {
        let mut product = learned(vec![mast(10.0), mast(20.0)]);
        let SamplingMode::Weighted(weights) = product.sampling_mode() else {
            panic!("neither depends on the state");
        };
        // 4095 · exp(−1 − 1/2) = 914 and 4095 · exp(−4 − 2) = 10.
        let [best, second, third] = [0, 1, 2].map(|mv| weights.weight(0, Move(mv)));
        assert_eq!(best, MOST_WEIGHT);
        assert!((910..=918).contains(&second), "{second}");
        assert!((9..=11).contains(&third), "{third}");
        // What is learned later changes it.
        learn(&mut product, 2, 100);
        learn(&mut product, 2, 100);
        let SamplingMode::Weighted(weights) = product.sampling_mode() else {
            panic!("neither depends on the state");
        };
        assert!(weights.weight(0, Move(2)) > weights.weight(0, Move(0)));
    }

    #[test]
    fn with_a_policy_that_depends_on_the_state_it_is_asked() {
        let past = Box::new(Past::new(1, 1, 20.0, 3.0));
        let mut product = learned(vec![mast(10.0), past]);
        assert!(matches!(product.sampling_mode(), SamplingMode::PerLane));
        let situation = Situation {
            role: 0,
            state: &[1],
            moves: &[Move(0), Move(1)],
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
        let second = (0..10_000).filter(|_| product.choose(&situation, &mut random) == 1);
        // 1/(1 + exp(1 + 1/2)) = 18.2 %, whereas MAST alone has 26.9 % and PAST 37.8 %.
        let second = second.count();
        assert!((1_620..2_020).contains(&second), "{second}");
    }
}
