//! What features of states are worth: TD(λ) with a linear value function.

use runtime::engine::{Role, lanes_of};

use crate::episode::Episode;

/// How values are learned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// λ.
    pub(super) lambda: f32,
    /// α.
    pub(super) alpha: f32,
}

/// The values θ of features, each the number of fluents of a kind that hold.
///
/// V(s) = Σ θᵢ·fᵢ(s) estimates the reward at the end: the role's goal value less
/// that of the other roles, on average, from the view of the role that the search
/// is for. So θ is positive for what is good for that role, whosoever it is, and
/// negative for what is good for the others.
///
/// After each simulation, θ ← θ + α·mean over its states of (Rᵗ − V(sₜ))·f(sₜ),
/// where R is the λ-return without discount (Björnsson and Finnsson 2010). The
/// paper sums up where this takes the mean: with its α the sum over a game of
/// sixty states overshoots and diverges wherever a dozen features are 1. Where
/// states have so many features that the mean would overshoot too, the step is
/// as long as just does not.
#[derive(Debug)]
pub(super) struct Values {
    rate: Rate,
    /// By fluent.
    features: Vec<Option<u32>>,
    theta: Vec<f32>,
    /// The role that θ is seen from.
    view: Option<Role>,
    /// The features of all states of a simulation one after the other, where
    /// those of each state end, and what it is worth.
    active: Vec<u32>,
    states: Vec<(usize, f32)>,
    /// By feature: the sum of errors, and how often it is there in a state.
    step: Vec<f32>,
    counts: Vec<f32>,
}

impl Values {
    /// For fluents with these features, of as many as there are.
    pub(super) fn new(features: Vec<Option<u32>>, count: usize, rate: Rate) -> Self {
        Self {
            rate,
            features,
            theta: vec![0.0; count],
            view: None,
            active: Vec::new(),
            states: Vec::new(),
            step: vec![0.0; count],
            counts: vec![0.0; count],
        }
    }

    /// What a feature is worth to a role, in goal points: what is good for the
    /// one that the search is for is bad for all others.
    pub(super) fn worth(&self, role: Role, feature: u32) -> f32 {
        let theta = self.theta[feature as usize];
        if self.view == Some(role) {
            theta
        } else {
            -theta
        }
    }

    /// Learns from a simulation, from the view of a role.
    pub(super) fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        if self.view != Some(role) {
            self.view = Some(role);
            self.theta.fill(0.0);
        }
        if episode.is_empty() {
            return;
        }
        let square = self.visit(episode);
        let mut target = reward(role, episode.goals);
        let mut end = self.active.len();
        for index in (0..self.states.len()).rev() {
            let (start, value) = self.states[index];
            for &feature in &self.active[start..end] {
                self.step[feature as usize] += target - value;
            }
            end = start;
            target = (1.0 - self.rate.lambda) * value + self.rate.lambda * target;
        }
        let alpha = self.rate.alpha / (self.rate.alpha * square).max(1.0);
        let scale = alpha / self.states.len() as f32;
        for (theta, step) in self.theta.iter_mut().zip(&mut self.step) {
            *theta += scale * *step;
            *step = 0.0;
        }
    }

    /// Notes features and values of all states but the last. Gives the mean of
    /// the squared lengths of their feature vectors.
    fn visit(&mut self, episode: &Episode<'_>) -> f32 {
        self.active.clear();
        self.states.clear();
        let mut squares = 0.0;
        for step in 0..episode.len() {
            let start = self.active.len();
            let holding = lanes_of(episode.state(step));
            let features = holding.filter_map(|fluent| self.features[fluent]);
            self.active.extend(features);
            let active = &self.active[start..];
            let mut value = 0.0;
            for &feature in active {
                value += self.theta[feature as usize];
                let count = &mut self.counts[feature as usize];
                squares += 2.0 * *count + 1.0;
                *count += 1.0;
            }
            for &feature in active {
                self.counts[feature as usize] = 0.0;
            }
            self.states.push((start, value));
        }
        squares / episode.len() as f32
    }
}

/// A role's goal value less the average of the others'.
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

    fn values(alpha: f32) -> Values {
        // Fluents 0 and 1 are of one kind, 2 of another, 3 of none.
        let features = vec![Some(0), Some(0), Some(1), None];
        Values::new(features, 2, Rate { lambda: 0.5, alpha })
    }

    fn learn(values: &mut Values, role: Role, states: &[u64], goals: [i32; 2]) {
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
        let mut values = values(0.01);
        values.view = Some(0);
        values.theta = vec![10.0, 20.0];
        learn(&mut values, 0, &[0b1011, 0b0100, 0b1111], [90, 30]);
        // V = 20 and 20. The last return is the reward, 60, and the one before it
        // 0.5·20 + 0.5·60 = 40: errors 20 and 40. Features are (2, 0) and (0, 1).
        let expected = [10.0 + 0.005 * 40.0, 20.0 + 0.005 * 40.0];
        let near = values.theta.iter().zip(expected);
        assert!(
            near.clone().all(|(a, b)| (a - b).abs() < 1e-5),
            "{:?}",
            values.theta
        );
    }

    #[test]
    fn what_is_good_for_one_is_bad_for_the_other() {
        let mut values = values(0.1);
        for _ in 0..200 {
            learn(&mut values, 1, &[0b0001, 0], [0, 100]);
            learn(&mut values, 1, &[0b0100, 0], [100, 0]);
        }
        assert!((values.worth(1, 0) - 100.0).abs() < 1.0);
        assert!((values.worth(1, 1) + 100.0).abs() < 1.0);
        assert!((values.worth(0, 0) + 100.0).abs() < 1.0);
        // Another view begins anew.
        learn(&mut values, 0, &[0, 0], [50, 50]);
        assert_eq!(values.theta, [0.0, 0.0]);
    }

    #[test]
    fn many_features_do_not_make_it_diverge() {
        let features = vec![Some(0); 64];
        let mut values = Values::new(
            features,
            1,
            Rate {
                lambda: 0.99,
                alpha: 0.5,
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
