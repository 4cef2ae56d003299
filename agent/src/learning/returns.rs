//! What is learned of the states of a finished game: λ-returns (Sutton and Barto, "Reinforcement
//! Learning: An Introduction", 2nd edition, section 12.1).
//!
//! The result of a game says little about one of its states, since so much is decided after it.
//! The network that plays has values for the states that follow, which are further from the truth
//! but have less variance. A λ-return is a mean of all of them and of the result, each weighted by
//! how far away it is.

/// λ: the part of what a state is worth that is known from beyond the state after it.
const REACH: f32 = 0.9;

/// The values of the states of a game as far as they are known, state after state, one per role.
#[derive(Debug, Clone, Default)]
pub(super) struct StateEstimates {
    /// NaN where nothing is known.
    values: Vec<f32>,
}

impl StateEstimates {
    pub(super) fn clear(&mut self) {
        self.values.clear();
    }

    /// Records the values of a state of the game, given by how many came before it.
    pub(super) fn set(&mut self, state: usize, values: &[f32]) {
        self.values.resize(state * values.len(), f32::NAN);
        self.values.extend_from_slice(values);
    }

    /// Replaces the estimates of all states of a game, of which there is this number, by their
    /// λ-returns, given the goals with which it ended.
    pub(super) fn become_returns(&mut self, states: usize, goals: &[i32]) {
        let roles = goals.len();
        self.values.resize(states * roles, f32::NAN);
        for (role, &goal) in goals.iter().enumerate() {
            let mut later = goal as f32 / 100.0;
            for value in self.values[role..].iter_mut().step_by(roles).rev() {
                let own = std::mem::replace(value, later);
                if !own.is_nan() {
                    later = REACH * later + (1.0 - REACH) * own;
                }
            }
        }
    }

    /// What is recorded of a state, one value per role.
    pub(super) fn of(&self, state: usize, roles: usize) -> &[f32] {
        &self.values[state * roles..][..roles]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_mixes_what_is_known_of_later_states_with_the_result() {
        let mut estimates = StateEstimates::default();
        estimates.set(1, &[0.5, 0.5]);
        estimates.set(3, &[0.2, 0.8]);
        estimates.become_returns(5, &[100, 0]);
        let before_third = REACH + (1.0 - REACH) * 0.2;
        let before_first = REACH * before_third + (1.0 - REACH) * 0.5;
        let expected = [before_first, before_third, before_third, 1.0, 1.0];
        for (state, value) in expected.into_iter().enumerate() {
            let [one, other] = estimates.of(state, 2) else {
                panic!("a value per role");
            };
            assert!((one - value).abs() < 1e-6, "{state}: {one}");
            assert!((other - (1.0 - value)).abs() < 1e-6, "{state}: {other}");
        }
    }

    #[test]
    fn without_estimates_the_result_is_learned() {
        let mut estimates = StateEstimates::default();
        estimates.become_returns(2, &[30]);
        assert_eq!(
            (estimates.of(0, 1), estimates.of(1, 1)),
            (&[0.3][..], &[0.3][..])
        );
    }
}
