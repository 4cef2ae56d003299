//! The budget of a search: when it has to stop.

use std::time::{Duration, Instant};

/// The budget of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchBudget {
    /// The number of simulations. Repeatable.
    Simulations(u64),
    /// The number of moves in simulations, inside and outside the tree: a measure of
    /// time in which every move costs the same. Simulations in flight when it is spent
    /// are finished. Repeatable.
    Steps(u64),
    /// A deadline: absolute, so that work done before the search counts against it.
    Until(Instant),
}

impl SearchBudget {
    /// The time from now on.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        let now = Instant::now();
        // A day stands for times that no clock can represent.
        let day = Duration::from_secs(86_400);
        Self::Until(now.checked_add(time).unwrap_or(now + day))
    }
}

impl SearchBudget {
    /// When this share of the remaining time will have passed; `None` if the budget is no deadline.
    #[must_use]
    pub fn fraction_of_time(self, share: f64) -> Option<Instant> {
        let Self::Until(end) = self else {
            return None;
        };
        let now = Instant::now();
        Some(now + end.saturating_duration_since(now).mul_f64(share))
    }

    /// The shares of this number of concurrent searches.
    pub fn split(self, parts: usize) -> impl Iterator<Item = Self> {
        let count = parts as u64;
        (0..count).map(move |part| {
            let share = |total| total / count + u64::from(part < total % count);
            match self {
                Self::Simulations(total) => Self::Simulations(share(total)),
                Self::Steps(total) => Self::Steps(share(total)),
                Self::Until(_) => self,
            }
        })
    }
}

/// The budget of each move of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeControl {
    /// The number of simulations.
    Simulations(u64),
    /// The number of moves in simulations.
    Steps(u64),
    /// The time.
    Time(Duration),
}

impl TimeControl {
    /// The budget of a move that starts now.
    #[must_use]
    pub fn budget(self) -> SearchBudget {
        match self {
            Self::Simulations(count) => SearchBudget::Simulations(count),
            Self::Steps(count) => SearchBudget::Steps(count),
            Self::Time(time) => SearchBudget::within(time),
        }
    }
}

/// Measures how much of a budget is spent.
#[derive(Debug, Clone, Copy)]
pub struct BudgetClock {
    budget: SearchBudget,
    begun: Instant,
    /// The number of simulations started.
    started: u64,
    /// The number of moves made by finished ones.
    steps: u64,
}

impl BudgetClock {
    /// Starts to spend a budget.
    #[must_use]
    pub fn start(budget: SearchBudget) -> Self {
        Self {
            budget,
            begun: Instant::now(),
            started: 0,
            steps: 0,
        }
    }

    /// Grants up to `wanted` simulations, as far as the budget allows, and counts them
    /// as started. Returns their number.
    pub fn allow(&mut self, wanted: u32) -> u32 {
        let allowed = match self.budget {
            SearchBudget::Simulations(limit) => u64::from(wanted).min(limit - self.started) as u32,
            SearchBudget::Steps(limit) if self.steps >= limit => 0,
            SearchBudget::Steps(_) | SearchBudget::Until(_) => wanted,
        };
        self.started += u64::from(allowed);
        allowed
    }

    /// Counts the moves of finished simulations.
    pub fn count_steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Whether no more simulations may start.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        match self.budget {
            SearchBudget::Simulations(limit) => self.started >= limit,
            SearchBudget::Steps(limit) => self.steps >= limit,
            SearchBudget::Until(_) => self.expired(),
        }
    }

    /// Whether a deadline has passed, so that simulations in flight have to be
    /// abandoned.
    #[must_use]
    pub fn expired(&self) -> bool {
        matches!(self.budget, SearchBudget::Until(deadline) if Instant::now() >= deadline)
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_split_without_rest() {
        let parts = |budget: SearchBudget| budget.split(3).collect::<Vec<_>>();
        assert_eq!(
            parts(SearchBudget::Simulations(8)),
            [3, 3, 2].map(SearchBudget::Simulations)
        );
        assert_eq!(
            parts(SearchBudget::Steps(8)),
            [3, 3, 2].map(SearchBudget::Steps)
        );
    }
}
