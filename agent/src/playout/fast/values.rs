//! Values of features of states: TD(λ) with a linear value function.

use gdl_runtime::engine::{Role, lanes_of};

use crate::episode::Episode;

/// The parameters of learning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// The weight λ of later returns.
    pub(super) lambda: f32,
    /// μ, the step as a share of the one after which the errors of a simulation that is
    /// repeated can overshoot.
    pub(super) mu: f32,
}

/// The values θ of features, each of which is the number of fluents of a kind that
/// hold.
///
/// V(s) = Σ θᵢ·fᵢ(s) estimates the final reward: the role's goal value minus the
/// average of the other roles', from the point of view of the role that the search is
/// for. So θ is positive for what benefits that role, and negative for what benefits
/// the others.
///
/// After each simulation, θ ← θ + α·Σ (Rᵗ − V(sₜ))·f(sₜ) over its states, where R is
/// the undiscounted λ-return (Björnsson and Finnsson 2010). The last state counts: in
/// Breakthrough no other state has a piece on the winning row.
///
/// With the paper's α = 0.01 such a sum overshoots and diverges if a game of sixty states
/// has a dozen features. The step is therefore normalised, α = μ/Σ‖f(sₜ)‖²: at μ = 1 each
/// simulation overwrites what earlier ones taught, and at less it is averaged with them.
#[derive(Debug)]
pub(super) struct FeatureValues {
    rate: Rate,
    /// The feature of each fluent.
    features: Vec<Option<u32>>,
    theta: Vec<f32>,
    /// The role whose point of view θ takes.
    view: Option<Role>,
    /// How the features of each state of a simulation differ from those of the state
    /// before, one state after another: the feature, and 1 or −1. Few of them change.
    changes: Vec<(u32, f32)>,
    /// For each state, the index at which its changes end, and its value.
    states: Vec<(usize, f32)>,
    /// A buffer: a state, then the fluents in which the next one differs from it.
    changed: Vec<u64>,
    /// By feature: the sum of errors, and its value in the current state.
    step: Vec<f32>,
    counts: Vec<f32>,
}

impl FeatureValues {
    /// With the feature of each fluent, and the number of features.
    pub(super) fn new(features: Vec<Option<u32>>, count: usize, rate: Rate) -> Self {
        Self {
            rate,
            features,
            theta: vec![0.0; count],
            view: None,
            changes: Vec::new(),
            states: Vec::new(),
            changed: Vec::new(),
            step: vec![0.0; count],
            counts: vec![0.0; count],
        }
    }

    /// The value of a feature to a role, in goal points. What is good for the role the
    /// search is for is bad for all others.
    pub(super) fn value(&self, role: Role, feature: u32) -> f32 {
        let theta = self.theta[feature as usize];
        if self.view == Some(role) {
            theta
        } else {
            -theta
        }
    }

    /// Learns from a simulation, from the point of view of a role.
    pub(super) fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        if self.view != Some(role) {
            self.view = Some(role);
            self.theta.fill(0.0);
        }
        if episode.is_empty() {
            return;
        }
        let squares = self.visit(episode);
        self.add_errors(reward(role, episode.goals));
        let scale = match squares > 0.0 {
            true => self.rate.mu / squares,
            false => 0.0,
        };
        for (theta, step) in self.theta.iter_mut().zip(&mut self.step) {
            *theta += scale * *step;
            *step = 0.0;
        }
    }

    /// Records how the features change from state to state, and the values of all
    /// states. Returns the sum of the squared lengths of their feature vectors.
    fn visit(&mut self, episode: &Episode<'_>) -> f32 {
        self.changes.clear();
        self.states.clear();
        self.counts.fill(0.0);
        self.changed.clear();
        self.changed.resize(episode.state(0).len(), 0);
        let (mut value, mut square, mut squares) = (0.0, 0.0, 0.0);
        for step in 0..=episode.len() {
            let state = episode.state(step);
            for (last, now) in self.changed.iter_mut().zip(state) {
                *last ^= now;
            }
            for fluent in lanes_of(&self.changed) {
                if let Some(feature) = self.features[fluent] {
                    let holds = state[fluent / 64] >> (fluent % 64) & 1 == 1;
                    let sign = if holds { 1.0 } else { -1.0 };
                    let count = &mut self.counts[feature as usize];
                    square += 2.0 * sign * *count + 1.0;
                    *count += sign;
                    value += sign * self.theta[feature as usize];
                    self.changes.push((feature, sign));
                }
            }
            squares += square;
            self.states.push((self.changes.len(), value));
            self.changed.copy_from_slice(state);
        }
        squares
    }

    /// Sums up, for each feature, the errors of the states that have it, from the last
    /// state to the first: what appears in a state is present in all later ones, and
    /// what disappears is not.
    fn add_errors(&mut self, reward: f32) {
        let lambda = self.rate.lambda;
        let (mut target, mut errors) = (reward, 0.0);
        let last = self.states.len() - 1;
        for index in (0..=last).rev() {
            let (end, value) = self.states[index];
            let start = index
                .checked_sub(1)
                .map_or(0, |before| self.states[before].0);
            errors += target - value;
            for &(feature, sign) in &self.changes[start..end] {
                self.step[feature as usize] += sign * errors;
            }
            // The return of the last state but one is the reward itself.
            if index < last {
                target = (1.0 - lambda) * value + lambda * target;
            }
        }
    }
}

/// A role's goal value minus the average of the others'.
fn reward(role: Role, goals: &[i32]) -> f32 {
    let own = goals[role] as f32;
    let others = goals.iter().sum::<i32>() as f32 - own;
    match goals.len() {
        1 => own,
        roles => own - others / (roles - 1) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(mu: f32) -> FeatureValues {
        // Fluents 0 and 1 are of one kind, 2 of another, 3 of none.
        let features = vec![Some(0), Some(0), Some(1), None];
        FeatureValues::new(features, 2, Rate { lambda: 0.5, mu })
    }

    fn learn(values: &mut FeatureValues, role: Role, states: &[u64], goals: [i32; 2]) {
        let moves = vec![0; 2 * (states.len() - 1)];
        let episode = Episode {
            simulations: 1,
            goals: &goals,
            moves: &moves,
            inside: 0,
            states,
        };
        values.learn(role, &episode);
    }

    #[test]
    fn lambda_returns() {
        // Squared lengths of 4, 1 and 5: a step of 0.01.
        let mut values = values(0.1);
        values.view = Some(0);
        values.theta = vec![10.0, 20.0];
        learn(&mut values, 0, &[0b1011, 0b0100, 0b1111], [90, 30]);
        // V = 20, 20 and 40. The last two returns are the reward, 60, and the one
        // before them 0.5·20 + 0.5·60 = 40: errors 20, 40 and 20. Features are
        // (2, 0), (0, 1) and (2, 1).
        let expected = [10.0 + 0.01 * 80.0, 20.0 + 0.01 * 60.0];
        let near = values.theta.iter().zip(expected);
        assert!(
            near.clone().all(|(a, b)| (a - b).abs() < 1e-5),
            "{:?}",
            values.theta
        );
    }

    #[test]
    fn what_only_last_states_have_is_learned() {
        let mut values = values(0.1);
        for _ in 0..200 {
            learn(&mut values, 0, &[0b0000, 0b0001], [100, 0]);
            learn(&mut values, 0, &[0b0000, 0b0100], [0, 100]);
        }
        assert!((values.value(0, 0) - 100.0).abs() < 1.0);
        assert!((values.value(0, 1) + 100.0).abs() < 1.0);
    }

    #[test]
    fn what_is_good_for_one_is_bad_for_the_other() {
        let mut values = values(0.1);
        for _ in 0..200 {
            learn(&mut values, 1, &[0b0001, 0], [0, 100]);
            learn(&mut values, 1, &[0b0100, 0], [100, 0]);
        }
        assert!((values.value(1, 0) - 100.0).abs() < 1.0);
        assert!((values.value(1, 1) + 100.0).abs() < 1.0);
        assert!((values.value(0, 0) + 100.0).abs() < 1.0);
        // Another view begins anew.
        learn(&mut values, 0, &[0, 0], [50, 50]);
        assert_eq!(values.theta, [0.0, 0.0]);
    }

    #[test]
    fn a_short_step_averages_what_simulations_teach() {
        let spread = |mu| {
            let mut values = values(mu);
            let mut seen = Vec::new();
            for game in 0..200 {
                let goals = if game % 2 == 0 { [100, 0] } else { [0, 100] };
                learn(&mut values, 0, &[0b0001, 0], goals);
                seen.push(values.value(0, 0).abs());
            }
            seen[150..].iter().copied().fold(0.0, f32::max)
        };
        // Half of the games are won, so that the feature is worth nothing.
        assert!(spread(1.0) > 99.0);
        assert!(spread(0.1) < 10.0);
    }

    #[test]
    fn many_features_do_not_make_it_diverge() {
        let features = vec![Some(0); 64];
        let mut values = FeatureValues::new(
            features,
            1,
            Rate {
                lambda: 0.99,
                mu: 0.5,
            },
        );
        for _ in 0..100 {
            learn(&mut values, 0, &[u64::MAX, u64::MAX, 0], [100, 0]);
        }
        assert!(
            (values.theta[0] * 64.0 - 100.0).abs() < 1.0,
            "{}",
            values.theta[0]
        );
    }
}
