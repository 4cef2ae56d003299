//! Decay: what playout policies learned long ago counts less.

use rand_xoshiro::Xoshiro256PlusPlus;

use gdl_runtime::engine::Role;

use super::history::MoveHistory;
use super::{Observed, Playout, PlayoutPlan, SamplingMode, Situation};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Episode;

/// The component.
pub const COMPONENT: Component = Component {
    name: "decay",
    slot: Slot::Decay,
    summary: "multiplies the samples of mast, to-mast, past, ngram and ngram-gibbs by a factor \
              after each move of the game and after a number of simulations, and after each \
              simulation those of what occurred in it",
    source: "Tak, Winands and Björnsson 2014",
    parameters: &[
        factor("move", "the factor after a move of the game", 0.4, 0.0),
        factor("batch", "the factor after a batch of simulations", 1.0, 0.0),
        Parameter {
            name: "size",
            meaning: "simulations in a batch",
            kind: ParameterKind::Number {
                default: 100.0,
                range: 1.0..=1e9,
            },
        },
        factor(
            "simulation",
            "the factor after each simulation, of what occurred in it",
            1.0,
            0.01,
        ),
    ],
    build: |builder, values, _| {
        let factors = DecayFactors {
            by_move: values.get(0) as f32,
            by_batch: values.get(1) as f32,
            batch: values.get(2) as u64,
            by_simulation: values.get(3) as f32,
        };
        builder.wrap_playout(move |policy| DecayingPlayout::new(policy, factors));
    },
};

const fn factor(name: &'static str, meaning: &'static str, default: f64, least: f64) -> Parameter {
    Parameter {
        name,
        meaning,
        kind: ParameterKind::Number {
            default,
            range: least..=1.0,
        },
    }
}

/// The factors γ by which samples are multiplied; 1 leaves them as they are.
#[derive(Debug, Clone, Copy)]
pub struct DecayFactors {
    /// After each move of the game, when the search goes on from another state.
    pub by_move: f32,
    /// After each batch of simulations.
    pub by_batch: f32,
    /// The number of simulations in a batch.
    pub batch: u64,
    /// After each simulation, for what occurred in it: at least 0.01.
    pub by_simulation: f32,
}

/// A policy whose statistics decay: Move Decay, Batch Decay and Simulation Decay (Tak,
/// Winands and Björnsson 2014; survey of 2015, section 2.3.4), alone or together.
///
/// Sums and numbers of samples are multiplied alike, so that averages stay the same until
/// new samples come, and then follow them sooner; sequences with too few samples left no
/// longer count. In a simulation that makes a move several times, its samples decay once.
/// Moves that were made without a search in between count as one. The survey calls Move
/// Decay alone the best on the whole; the default factor is ours. FAST has no samples and
/// is left as it is.
///
/// Cost: a pass over all statistics per move of the game and per batch; with Simulation
/// Decay, about as much per simulation as learning from it. How lanes are given their
/// moves does not change.
pub struct DecayingPlayout {
    policy: Box<dyn Playout>,
    factors: DecayFactors,
    /// The simulations in the current batch so far.
    simulations: u64,
}

impl DecayingPlayout {
    /// Lets the statistics of a policy decay.
    #[must_use]
    pub fn new(policy: Box<dyn Playout>, factors: DecayFactors) -> Self {
        Self {
            policy,
            factors,
            simulations: 0,
        }
    }
}

impl Playout for DecayingPlayout {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        self.policy.sampling_mode()
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.policy.choose(situation, random)
    }

    fn choose_after(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        self.policy.choose_after(situation, history, random)
    }

    fn observes(&self) -> Observed {
        self.policy.observes()
    }

    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        self.policy.learn(role, episode);
        if self.factors.by_simulation < 1.0 {
            self.policy.fade_made(self.factors.by_simulation, episode);
        }
        self.simulations += u64::from(episode.simulations);
        if self.simulations >= self.factors.batch {
            self.simulations = 0;
            if self.factors.by_batch < 1.0 {
                self.policy.fade(self.factors.by_batch);
            }
        }
    }

    fn begin_playout(&mut self) -> PlayoutPlan {
        self.policy.begin_playout()
    }

    fn resume_playout(&mut self, plan: PlayoutPlan) {
        self.policy.resume_playout(plan);
    }

    fn end_playout(&mut self, plan: PlayoutPlan, goals: &[i32]) {
        self.policy.end_playout(plan, goals);
    }

    fn begin_move(&mut self) {
        self.policy.begin_move();
        if self.factors.by_move < 1.0 {
            self.policy.fade(self.factors.by_move);
        }
    }

    fn fade(&mut self, factor: f32) {
        self.policy.fade(factor);
    }

    fn fade_made(&mut self, factor: f32, episode: &Episode<'_>) {
        self.policy.fade_made(factor, episode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::mast::{LearningScope, Mast};
    use crate::playout::ngram::NGram;
    use crate::playout::past::Past;
    use crate::playout::sampling::MoveSampling;
    use gdl_runtime::engine::Move;
    use rand::SeedableRng;

    const NEVER: DecayFactors = DecayFactors {
        by_move: 1.0,
        by_batch: 1.0,
        batch: 1,
        by_simulation: 1.0,
    };

    /// The policies that decay, each greedy by what it has learned.
    fn policies() -> [Box<dyn Playout>; 3] {
        [
            Box::new(Mast::new(&[2], 0.5, 0.0, LearningScope::Simulation)),
            Box::new(NGram::new(3, 1.0, 0.0, MoveSampling::Greedy(0.0))),
            Box::new(Past::new(1, 1, 0.5, 1.0)),
        ]
    }

    /// A role makes a move and gets a goal value, in this number of simulations.
    fn learn(policy: &mut dyn Playout, simulations: u32, mv: u32, goal: i32) {
        let episode = Episode {
            simulations,
            goals: &[goal],
            moves: &[mv],
            inside: 0,
            states: &[1, 1],
        };
        policy.learn(0, &episode);
    }

    fn chosen(policy: &mut dyn Playout) -> usize {
        let situation = Situation {
            role: 0,
            state: &[1],
            moves: &[Move(0), Move(1)],
        };
        policy.choose(&situation, &mut Xoshiro256PlusPlus::seed_from_u64(1))
    }

    /// Whether the policies notice, with these factors, that a move that was good in ten
    /// simulations turns out bad in three after a move of the game; another one is fair.
    fn notice(factors: DecayFactors) -> [bool; 3] {
        policies().map(|policy| {
            let mut policy = DecayingPlayout::new(policy, factors);
            learn(&mut policy, 10, 0, 90);
            learn(&mut policy, 10, 1, 50);
            assert_eq!(chosen(&mut policy), 0);
            policy.begin_move();
            learn(&mut policy, 3, 0, 0);
            chosen(&mut policy) == 1
        })
    }

    #[test]
    fn without_decay_averages_are_slow() {
        assert_eq!(notice(NEVER), [false; 3]);
    }

    #[test]
    fn samples_decay_after_a_move() {
        // (90 · 10 · 0.2) / (10 · 0.2 + 3) = 36.
        let factors = DecayFactors {
            by_move: 0.2,
            ..NEVER
        };
        assert_eq!(notice(factors), [true; 3]);
        let factors = DecayFactors {
            by_move: 0.0,
            ..NEVER
        };
        assert_eq!(notice(factors), [true; 3]);
    }

    #[test]
    fn samples_decay_after_a_batch() {
        let factors = DecayFactors {
            by_batch: 0.2,
            batch: 20,
            ..NEVER
        };
        assert_eq!(notice(factors), [true; 3]);
        let factors = DecayFactors {
            batch: 21,
            ..factors
        };
        assert_eq!(notice(factors), [false; 3]);
    }

    #[test]
    fn samples_decay_after_a_simulation() {
        let factors = DecayFactors {
            by_simulation: 0.2,
            ..NEVER
        };
        assert_eq!(notice(factors), [true; 3]);
    }
}
