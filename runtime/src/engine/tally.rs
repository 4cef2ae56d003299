//! [`Tally`]: the statistics of random playouts.

use std::ops::AddAssign;

/// Statistics of a run of random playouts.
///
/// Games in progress when the run stops are played to their end and counted, since
/// dropping them would favour short games; only games that do not end soon
/// afterwards are abandoned.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    /// Games finished.
    pub playouts: u64,
    /// State transitions made in finished games.
    pub steps: u64,
    /// State transitions in total, unfinished games included.
    pub transitions: u64,
    /// Sum of the squares of the finished games' lengths.
    pub squared_steps: u64,
    /// For every role, the sum of its goal values over finished games.
    pub goals: Vec<i64>,
    /// For every role, the sum of the squares of its goal values, which rules may make as large as
    /// they like.
    pub squared_goals: Vec<i128>,
}

impl AddAssign<&Self> for Tally {
    /// Adds the statistics of another run of the same game.
    fn add_assign(&mut self, other: &Self) {
        let roles = self.goals.len().max(other.goals.len());
        self.goals.resize(roles, 0);
        self.squared_goals.resize(roles, 0);
        self.playouts += other.playouts;
        self.steps += other.steps;
        self.transitions += other.transitions;
        self.squared_steps += other.squared_steps;
        for (sum, part) in self.goals.iter_mut().zip(&other.goals) {
            *sum += part;
        }
        for (sum, part) in self.squared_goals.iter_mut().zip(&other.squared_goals) {
            *sum += part;
        }
    }
}
