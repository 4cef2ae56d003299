//! MAST and TO-MAST: moves with a high average return are made more often.

use gdl_runtime::engine::{Move, NO_CHOICE, Role};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::history::MoveHistory;
use super::{MoveWeights, Observed, Playout, SamplingMode, Situation};
use crate::component::builder::{AgentBuilder, GameContext};
use crate::component::{Component, Parameter, ParameterKind, ParameterValues, Slot};
use crate::episode::Episode;

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "tau",
        meaning: "τ, the temperature, in goal points: the lower, the greedier",
        kind: ParameterKind::Number {
            default: 10.0,
            range: 0.01..=10_000.0,
        },
    },
    Parameter {
        name: "unseen",
        meaning: "the value of moves that no simulation has made, in goal points",
        kind: ParameterKind::Number {
            default: 100.0,
            range: 0.0..=100.0,
        },
    },
    Parameter {
        name: "exact",
        meaning: "1: without rounding weights, but slowly, state by state",
        kind: ParameterKind::Number {
            default: 0.0,
            range: 0.0..=1.0,
        },
    },
];

/// The component that learns from whole simulations.
pub const MAST: Component = Component {
    name: "mast",
    slot: Slot::Playout,
    summary: "moves in proportion to exp(Q(a)/τ), where Q(a) is the average return of all \
              simulations in which the role made the move, in whatever state",
    source: "Finnsson and Björnsson 2008 and 2009",
    parameters: PARAMETERS,
    build: |builder, values, game| add(builder, values, game, LearningScope::Simulation),
};

/// The component that learns from moves inside the tree.
pub const TO_MAST: Component = Component {
    name: "to-mast",
    slot: Slot::Playout,
    summary: "as mast, but learns only from moves made inside the tree",
    source: "Finnsson and Björnsson 2009",
    parameters: PARAMETERS,
    build: |builder, values, game| add(builder, values, game, LearningScope::SearchTree),
};

fn add(
    builder: &mut AgentBuilder,
    values: &ParameterValues,
    game: &GameContext<'_>,
    scope: LearningScope,
) {
    let (temperature, unseen) = (values.get(0) as f32, values.get(1) as f32);
    let mut mast = Mast::new(&game.moves, temperature, unseen, scope);
    mast.exact = values.get(2) > 0.0;
    builder.playout(mast);
}

/// Which moves of a simulation are learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearningScope {
    /// All of them: MAST.
    Simulation,
    /// Those made inside the tree: TO-MAST.
    SearchTree,
}

/// The Move-Average Sampling Technique: P(a) ∝ exp(Q(a)/τ), where Q(a) is the average
/// goal value of the role over all simulations in which it made move a (Finnsson and
/// Björnsson 2008; tree-only variant 2009, section 3.2).
///
/// A move that occurs several times in a simulation counts each time. Moves without an
/// alternative are not counted. The papers leave open the value of moves never made;
/// the default is 100, as for moves that always won, so that they are soon tried.
#[derive(Debug)]
pub struct Mast {
    scope: LearningScope,
    /// Whether it samples the exact distribution instead of quantised weights.
    exact: bool,
    averages: Vec<Vec<MoveAverage>>,
    /// The averages that have changed since the weights were last updated, each once.
    changed: Vec<(Role, Move)>,
    weights: MoveWeights,
}

#[derive(Debug, Clone, Copy, Default)]
struct MoveAverage {
    sum: f64,
    count: f64,
    changed: bool,
}

impl Mast {
    /// With the number of moves of each role; the temperature and the value of unseen
    /// moves are in goal points.
    #[must_use]
    pub fn new(moves: &[usize], temperature: f32, unseen: f32, scope: LearningScope) -> Self {
        let averages = moves
            .iter()
            .map(|&count| vec![MoveAverage::default(); count]);
        Self {
            scope,
            exact: false,
            averages: averages.collect(),
            changed: Vec::new(),
            weights: MoveWeights::new(moves, unseen, temperature),
        }
    }

    fn add(&mut self, role: Role, mv: u32, goal: f64, simulations: f64) {
        let averages = &mut self.averages[role];
        let index = mv as usize;
        if index >= averages.len() {
            averages.resize(index + 1, MoveAverage::default());
        }
        let average = &mut averages[index];
        average.sum += goal * simulations;
        average.count += simulations;
        if !std::mem::replace(&mut average.changed, true) {
            self.changed.push((role, Move(mv)));
        }
    }

    /// The current weights. They are updated when asked for, which is less often than
    /// simulations end.
    fn weights(&mut self) -> &mut MoveWeights {
        for (role, mv) in self.changed.drain(..) {
            let average = &mut self.averages[role][mv.0 as usize];
            average.changed = false;
            let value = average.sum / average.count;
            self.weights.set(role, mv, value as f32);
        }
        &mut self.weights
    }

    /// The number of steps of a simulation that it learns from.
    fn scope_of(&self, episode: &Episode<'_>) -> usize {
        match self.scope {
            LearningScope::Simulation => episode.len(),
            LearningScope::SearchTree => episode.inside,
        }
    }

    fn forget(&mut self) {
        for averages in &mut self.averages {
            averages.fill(MoveAverage::default());
        }
        self.changed.clear();
        self.weights.forget();
    }
}

impl MoveAverage {
    /// Multiplies the samples by a factor. The average stays the same.
    fn fade(&mut self, factor: f32) {
        self.sum *= f64::from(factor);
        self.count *= f64::from(factor);
    }
}

impl Playout for Mast {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        match self.exact {
            true => SamplingMode::PerLane,
            false => SamplingMode::Weighted(self.weights()),
        }
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.weights()
            .choose(situation.role, situation.moves, random)
    }

    fn preferences(
        &mut self,
        situation: &Situation<'_>,
        _history: &MoveHistory<'_>,
        _random: &mut Xoshiro256PlusPlus,
        logarithms: &mut Vec<f32>,
    ) -> bool {
        self.weights()
            .preferences(situation.role, situation.moves, logarithms);
        true
    }

    fn observes(&self) -> Observed {
        match self.scope {
            LearningScope::Simulation => Observed::Moves,
            LearningScope::SearchTree => Observed::SearchTree,
        }
    }

    fn learn(&mut self, _role: Role, episode: &Episode<'_>) {
        let steps = self.scope_of(episode);
        let simulations = f64::from(episode.simulations);
        for joint in episode.steps().take(steps) {
            for (role, &mv) in joint.iter().enumerate() {
                if mv != NO_CHOICE {
                    self.add(role, mv, f64::from(episode.goals[role]), simulations);
                }
            }
        }
    }

    fn fade(&mut self, factor: f32) {
        if factor == 0.0 {
            return self.forget();
        }
        // Averages that are about to be read must not lose their last samples.
        self.weights();
        let averages = self.averages.iter_mut().flatten();
        averages.for_each(|average| average.fade(factor));
    }

    fn fade_made(&mut self, factor: f32, episode: &Episode<'_>) {
        let steps = self.scope_of(episode);
        let mut made: Vec<_> = episode.choices(0..steps).collect();
        made.sort_unstable();
        made.dedup();
        for (role, mv) in made {
            self.averages[role][mv.0 as usize].fade(factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two roles; white wins by 0 0 1, where the first move is made inside the
    /// tree, and loses by 1 2.
    fn learn(mast: &mut Mast) {
        let episode = Episode {
            simulations: 1,
            goals: &[100, 0],
            moves: &[0, NO_CHOICE, NO_CHOICE, 1, 0, NO_CHOICE, 1, NO_CHOICE],
            inside: 1,
            states: &[],
        };
        mast.learn(0, &episode);
        let episode = Episode {
            simulations: 2,
            goals: &[0, 100],
            moves: &[1, NO_CHOICE, NO_CHOICE, 2],
            inside: 1,
            states: &[],
        };
        mast.learn(0, &episode);
    }

    fn values(mast: &mut Mast, role: Role) -> Vec<f32> {
        let weights = mast.weights();
        (0..3).map(|mv| weights.value(role, Move(mv))).collect()
    }

    #[test]
    fn averages_over_whole_simulations() {
        let mut mast = Mast::new(&[3, 3], 10.0, 77.0, LearningScope::Simulation);
        learn(&mut mast);
        // Move 1 of white: once in a win, once in each of two losses.
        assert_eq!(values(&mut mast, 0), [100.0, 100.0 / 3.0, 77.0]);
        assert_eq!(values(&mut mast, 1), [77.0, 0.0, 100.0]);
        assert_eq!(mast.averages[0][0].count, 2.0);
    }

    #[test]
    fn averages_over_what_is_inside_the_tree() {
        let mut mast = Mast::new(&[3, 3], 10.0, 77.0, LearningScope::SearchTree);
        learn(&mut mast);
        assert_eq!(values(&mut mast, 0), [100.0, 0.0, 77.0]);
        assert_eq!(values(&mut mast, 1), [77.0, 77.0, 77.0]);
        assert_eq!(mast.averages[0][0].count, 1.0);
    }
}
