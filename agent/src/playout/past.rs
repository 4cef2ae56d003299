//! PAST: moves with a high average return where a fluent held are made more often where
//! it holds.

use gdl_runtime::engine::{Move, NO_CHOICE, Role, lanes_of};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::average::ReturnAverage;
use super::history::MoveHistory;
use super::weights::choose_by_gibbs;
use super::{Observed, Playout, SamplingMode, Situation};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Episode;

/// The component.
pub const COMPONENT: Component = Component {
    name: "past",
    slot: Slot::Playout,
    summary: "as mast, with Q(a) replaced by the highest Q(p,a) of the fluents p that hold in \
              the state: the average return of the simulations in which the role made the move \
              while p held",
    source: "Finnsson and Björnsson 2009",
    parameters: &[
        Parameter {
            name: "tau",
            meaning: "τ, the temperature, in goal points: the lower, the greedier",
            kind: ParameterKind::Number {
                default: 10.0,
                range: 0.01..=10_000.0,
            },
        },
        Parameter {
            name: "threshold",
            meaning: "samples below which Q(p,a) is the role's average over all simulations",
            kind: ParameterKind::Number {
                default: 3.0,
                range: 0.0..=1e6,
            },
        },
    ],
    build: |builder, values, game| {
        let fluents = game.layout.as_ref().map_or(0, |layout| layout.bases.len());
        let (temperature, threshold) = (values.get(0) as f32, values.get(1) as f32);
        let roles = game.moves.len();
        builder.playout(Past::new(roles, fluents, temperature, threshold));
    },
};

/// The Predicate-Average Sampling Technique: P(a) ∝ exp(max Q(p,a)/τ) over the fluents
/// p that hold, where Q(p,a) is the average goal value of the role over all simulations
/// in which it made move a while p held (Finnsson and Björnsson 2009, section 3.3;
/// parameters of 2010).
///
/// A pair that occurs several times in a simulation counts each time. The statistics
/// take 12 bytes per fluent and move that has been made.
#[derive(Debug)]
pub struct Past {
    temperature: f32,
    threshold: f32,
    fluents: usize,
    roles: Vec<Pairs>,
    /// The fluents of a state, and the values of moves in it.
    holding: Vec<u32>,
    values: Vec<f32>,
}

/// The statistics of one role.
#[derive(Debug, Clone)]
struct Pairs {
    /// The average over all simulations.
    average: ReturnAverage,
    /// By move; `None` for moves never made.
    rows: Vec<Option<FluentAverages>>,
}

/// The statistics of one move, by fluent.
#[derive(Debug, Clone)]
struct FluentAverages {
    averages: Box<[ReturnAverage]>,
    /// Q(p,a); [`FEW`] where there are too few samples.
    values: Box<[f32]>,
}

/// The value of pairs with too few samples: below all others.
const FEW: f32 = f32::NEG_INFINITY;

/// The assumed value of a game before one has been seen.
const DRAW: f32 = 50.0;

impl Past {
    /// For a game with this number of roles and fluents; the temperature is in goal
    /// points.
    #[must_use]
    pub fn new(roles: usize, fluents: usize, temperature: f32, threshold: f32) -> Self {
        let pairs = Pairs {
            average: ReturnAverage::default(),
            rows: Vec::new(),
        };
        Self {
            temperature,
            threshold,
            fluents,
            roles: vec![pairs; roles],
            holding: Vec::new(),
            values: Vec::new(),
        }
    }

    fn hold(&mut self, state: &[u64]) {
        self.holding.clear();
        let holding = lanes_of(state).map(|fluent| fluent as u32);
        self.holding.extend(holding);
    }

    fn add(&mut self, role: Role, mv: u32, goal: f32, simulations: f32) {
        let (index, fluents, threshold) = (mv as usize, self.fluents, self.threshold);
        let rows = &mut self.roles[role].rows;
        if index >= rows.len() {
            rows.resize(index + 1, None);
        }
        let row = rows[index].get_or_insert_with(|| FluentAverages {
            averages: vec![ReturnAverage::default(); fluents].into(),
            values: vec![FEW; fluents].into(),
        });
        for &fluent in &self.holding {
            let average = &mut row.averages[fluent as usize];
            average.add(goal, simulations);
            if average.count >= threshold {
                row.values[fluent as usize] = average.mean();
            }
        }
    }

    /// Values the moves in `values`.
    fn rate(&mut self, situation: &Situation<'_>) {
        self.hold(situation.state);
        let pairs = &self.roles[situation.role];
        let (holding, average) = (&self.holding, pairs.average());
        let moves = situation.moves.iter();
        let values = moves.map(|mv| pairs.value(mv.0 as usize, holding, average));
        self.values.clear();
        self.values.extend(values);
    }

    /// Each pair of a move made in a simulation and a fluent that held, once.
    fn pairs_of(&mut self, episode: &Episode<'_>) -> Vec<(Role, Move, u32)> {
        let mut pairs = Vec::new();
        for step in 0..episode.len() {
            self.hold(episode.state(step));
            for (role, mv) in episode.choices(step..step + 1) {
                pairs.extend(self.holding.iter().map(|&fluent| (role, mv, fluent)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

impl FluentAverages {
    /// Multiplies the samples of a fluent by a factor. The value stays the same, unless too
    /// few samples are left.
    fn fade(&mut self, fluent: usize, factor: f32, threshold: f32) {
        let average = &mut self.averages[fluent];
        average.fade(factor);
        if average.count < threshold || average.count == 0.0 {
            self.values[fluent] = FEW;
        }
    }
}

impl Pairs {
    /// The average return of the role over all simulations.
    fn average(&self) -> f32 {
        match self.average.count {
            0.0 => DRAW,
            _ => self.average.mean(),
        }
    }

    /// The highest value of a move over the fluents that hold.
    fn value(&self, mv: usize, holding: &[u32], average: f32) -> f32 {
        let Some(Some(row)) = self.rows.get(mv) else {
            return average;
        };
        let highest = highest(&row.values, holding);
        // Fluents with too few samples count as the average, so one of them matters
        // only if no other fluent reaches it.
        let few = |&fluent: &u32| row.values[fluent as usize] == FEW;
        if highest < average && holding.iter().any(few) {
            return average;
        }
        highest
    }
}

/// The highest of the values at these indices; four at a time, since each comparison
/// would have to wait for the one before.
fn highest(values: &[f32], places: &[u32]) -> f32 {
    let higher = |one: f32, other: f32| if other > one { other } else { one };
    let (fours, rest) = places.as_chunks::<4>();
    let mut highest = [FEW; 4];
    for four in fours {
        for (highest, &place) in highest.iter_mut().zip(four) {
            *highest = higher(*highest, values[place as usize]);
        }
    }
    let rest = rest.iter().map(|&place| values[place as usize]);
    rest.chain(highest).fold(FEW, higher)
}

impl Playout for Past {
    /// Fluents are only known if the engine knows all of them in advance.
    fn applies(&self) -> bool {
        self.fluents > 0
    }

    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::PerLane
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.rate(situation);
        choose_by_gibbs(self.values.iter().copied(), self.temperature, random)
    }

    fn preferences(
        &mut self,
        situation: &Situation<'_>,
        _history: &MoveHistory<'_>,
        _random: &mut Xoshiro256PlusPlus,
        logarithms: &mut Vec<f32>,
    ) -> bool {
        self.rate(situation);
        let values = self.values.iter();
        logarithms.extend(values.map(|value| value / self.temperature));
        true
    }

    fn observes(&self) -> Observed {
        Observed::States
    }

    fn learn(&mut self, _role: Role, episode: &Episode<'_>) {
        let simulations = episode.simulations as f32;
        for (pairs, &goal) in self.roles.iter_mut().zip(episode.goals) {
            pairs.average.add(goal as f32, simulations);
        }
        for (step, joint) in episode.steps().enumerate() {
            self.hold(episode.state(step));
            for (role, &mv) in joint.iter().enumerate() {
                if mv != NO_CHOICE {
                    self.add(role, mv, episode.goals[role] as f32, simulations);
                }
            }
        }
    }

    fn fade(&mut self, factor: f32) {
        let (fluents, threshold) = (self.fluents, self.threshold);
        for pairs in &mut self.roles {
            pairs.average.fade(factor);
            for row in pairs.rows.iter_mut().flatten() {
                (0..fluents).for_each(|fluent| row.fade(fluent, factor, threshold));
            }
        }
    }

    fn fade_made(&mut self, factor: f32, episode: &Episode<'_>) {
        for (role, mv, fluent) in self.pairs_of(episode) {
            if let Some(Some(row)) = self.roles[role].rows.get_mut(mv.0 as usize) {
                row.fade(fluent as usize, factor, self.threshold);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// A role that made a move in a state, and got a goal value.
    fn learn(past: &mut Past, simulations: u32, state: u64, mv: u32, goal: i32) {
        past.learn(
            0,
            &Episode {
                simulations,
                goals: &[goal],
                moves: &[mv],
                inside: 0,
                states: &[state, 0],
            },
        );
    }

    fn values(past: &mut Past, state: u64) -> Vec<f32> {
        past.hold(&[state]);
        let pairs = &past.roles[0];
        let value = |mv| pairs.value(mv, &past.holding, pairs.average());
        (0..3).map(value).collect()
    }

    #[test]
    fn the_highest_average_of_what_holds() {
        let mut past = Past::new(1, 6, 10.0, 3.0);
        assert_eq!(values(&mut past, 0b11), [50.0; 3]);
        learn(&mut past, 3, 0b011, 0, 90);
        learn(&mut past, 3, 0b001, 0, 30);
        learn(&mut past, 4, 0b100, 1, 0);
        // Q(0,0) = 60, Q(1,0) = 90, Q(2,1) = 0; the average is 36.
        assert_eq!(values(&mut past, 0b001), [60.0, 36.0, 36.0]);
        assert_eq!(values(&mut past, 0b011), [90.0, 36.0, 36.0]);
        assert_eq!(values(&mut past, 0b100), [36.0, 0.0, 36.0]);
        // Fluent 5 was never seen with move 1: it counts as the average.
        assert_eq!(values(&mut past, 0b10_0100), [36.0, 36.0, 36.0]);
    }

    #[test]
    fn few_samples_count_as_the_average() {
        let mut past = Past::new(1, 6, 10.0, 3.0);
        learn(&mut past, 2, 0b1, 0, 100);
        learn(&mut past, 2, 0b10, 1, 0);
        assert_eq!(values(&mut past, 0b1), [50.0; 3]);
        learn(&mut past, 1, 0b1, 0, 100);
        assert_eq!(values(&mut past, 0b1), [100.0, 60.0, 60.0]);
    }

    #[test]
    fn every_place_is_compared() {
        let values: Vec<f32> = (0..11).map(|place| place as f32).collect();
        for count in 1..11 {
            let places: Vec<u32> = (0..count).rev().collect();
            assert_eq!(highest(&values, &places), count as f32 - 1.0);
            let places: Vec<u32> = (0..count).collect();
            assert_eq!(highest(&values, &places), count as f32 - 1.0);
        }
    }

    #[test]
    fn the_choice_depends_on_the_state() {
        let mut past = Past::new(1, 2, 10.0, 3.0);
        for (state, mv, goal) in [(1, 0, 100), (1, 1, 0), (2, 0, 0), (2, 1, 100)] {
            learn(&mut past, 3, state, mv, goal);
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for (state, best) in [(1, 0), (2, 1)] {
            let situation = Situation {
                role: 0,
                state: &[state],
                moves: &[Move(0), Move(1)],
            };
            let chosen = (0..1000).filter(|_| past.choose(&situation, &mut random) == best);
            // Odds of e¹⁰.
            assert!(chosen.count() > 990);
        }
    }
}
