//! Statistical symbol counting: an evaluation by how often words occur in states.

use gdl_runtime::engine::{Role, lanes_of};
use gdl_runtime::kif;
use gdl_runtime::layout::Layout;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::episode::Episode;

/// The number of simulations before which correlations do not count.
const LEAST_SAMPLES: f64 = 20.0;

/// The correlations of counts with goal values, for every role.
///
/// A count is the number of facts of a relation in a state, or of those that have a word
/// as a certain argument; its sample of a simulation is the average over the states.
#[derive(Debug)]
pub(super) struct SymbolCounts {
    /// The counts to which each fluent adds one.
    counted: Vec<Vec<u32>>,
    /// Sums over simulations: of counts and their squares; for each role, of goals, their
    /// squares, and products with counts.
    simulations: f64,
    counts: Vec<Moments>,
    goals: Vec<Moments>,
    products: Vec<Vec<f64>>,
    /// For each role, the correlations of counts with its goal, per unit of the count; empty if
    /// simulations have been added since.
    weights: Vec<Vec<f64>>,
    /// A buffer: the counts of a simulation.
    sample: Vec<f64>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    /// The standard deviation of this number of values.
    fn deviation(self, count: f64) -> f64 {
        let mean = self.sum / count;
        (self.squares / count - mean * mean).max(0.0).sqrt()
    }
}

impl SymbolCounts {
    pub(super) fn new(layout: &Layout) -> Self {
        let mut known: IndexMap<(String, usize, String), (), FxBuildHasher> = IndexMap::default();
        let counted = layout.bases.iter().map(|base| {
            let words: Vec<&str> = kif::words(&base.name).collect();
            let relation = words.first().copied().unwrap_or_default();
            let numbered = words.iter().enumerate().map(|(argument, word)| {
                let key = (relation.to_owned(), argument, (*word).to_owned());
                known.insert_full(key, ()).0 as u32
            });
            numbered.collect()
        });
        let counted: Vec<Vec<u32>> = counted.collect();
        Self {
            counted,
            simulations: 0.0,
            counts: vec![Moments::default(); known.len()],
            goals: vec![Moments::default(); layout.roles.len()],
            products: vec![vec![0.0; known.len()]; layout.roles.len()],
            weights: vec![Vec::new(); layout.roles.len()],
            sample: vec![0.0; known.len()],
        }
    }

    pub(super) fn learn(&mut self, episode: &Episode<'_>) {
        let states = episode.len() + 1;
        let share = 1.0 / states as f64;
        self.weights.iter_mut().for_each(Vec::clear);
        self.sample.fill(0.0);
        for step in 0..states {
            for fluent in lanes_of(episode.state(step)) {
                for &count in &self.counted[fluent] {
                    self.sample[count as usize] += share;
                }
            }
        }
        self.simulations += 1.0;
        let counts = self.counts.iter_mut().zip(&self.sample);
        counts.for_each(|(moments, &count)| moments.add(count));
        for (role, &goal) in episode.goals.iter().enumerate() {
            let goal = f64::from(goal);
            self.goals[role].add(goal);
            let products = self.products[role].iter_mut().zip(&self.sample);
            products.for_each(|(sum, count)| *sum += goal * count);
        }
    }

    /// The sum over the counts of a state of their correlation with the role's goal, each
    /// in units of its standard deviation. Counts that never change have none.
    pub(super) fn evaluate(&mut self, role: Role, state: &[u64]) -> f32 {
        if self.simulations < LEAST_SAMPLES {
            return 0.0;
        }
        if self.weights[role].is_empty() {
            let counts = 0..self.counts.len();
            self.weights[role] = counts.map(|count| self.weight(role, count)).collect();
        }
        let weights = &self.weights[role];
        let counted = lanes_of(state).flat_map(|fluent| &self.counted[fluent]);
        counted.map(|&count| weights[count as usize]).sum::<f64>() as f32
    }

    /// The correlation of a count with a role's goal, per unit of the count.
    fn weight(&self, role: Role, count: usize) -> f64 {
        let (counts, goals, n) = (self.counts[count], self.goals[role], self.simulations);
        let (spread, goal_spread) = (counts.deviation(n), goals.deviation(n));
        if spread < 1e-6 || goal_spread < 1e-6 {
            return 0.0;
        }
        let covariance = self.products[role][count] / n - counts.sum * goals.sum / (n * n);
        covariance / (spread * spread * goal_spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_runtime::layout::BaseRow;

    #[test]
    fn words_that_go_with_high_goals_are_good() {
        let base = |name: &str| BaseRow {
            name: name.to_owned(),
            initially: false,
        };
        let names = ["(cell 1 x)", "(cell 2 x)", "(cell 1 o)", "(always here)"];
        let layout = Layout {
            roles: vec!["one".to_owned(), "other".to_owned()],
            bases: names.map(base).into(),
            ..Layout::default()
        };
        let mut symbols = SymbolCounts::new(&layout);
        let games = [(0b1001, [100, 0]), (0b1011, [100, 0]), (0b1100, [0, 100])];
        for (state, goals) in games.into_iter().cycle().take(20) {
            // Few samples say nothing.
            assert_eq!(symbols.evaluate(0, &[state]), 0.0);
            symbols.learn(&Episode {
                simulations: 1,
                goals: &goals,
                moves: &[],
                inside: 0,
                states: &[state],
            });
        }
        let mut value = |role, state| symbols.evaluate(role, &[state]);
        assert!(value(0, 0b0001) > 0.5 && value(0, 0b0100) < -0.5);
        assert!(value(1, 0b0001) < -0.5 && value(1, 0b0100) > 0.5);
        // What never changes says nothing.
        assert_eq!(value(0, 0b1000), 0.0);
    }
}
