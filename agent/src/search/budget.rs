//! When a search has to stop.

use std::time::{Duration, Instant};

/// What a move may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchBudget {
    /// So many simulations: repeatable.
    Simulations(u64),
    /// Simulations until they have made so many moves, inside the tree and outside:
    /// what time comes to where every move costs the same. Those in flight by then
    /// are finished. Repeatable.
    Steps(u64),
    /// Until this moment: absolute, so that work done before the search
    /// counts against it.
    Until(Instant),
}

impl SearchBudget {
    /// From now on for so long.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        let now = Instant::now();
        // A time that no clock can hold is a day of thought.
        let day = Duration::from_secs(86_400);
        Self::Until(now.checked_add(time).unwrap_or(now + day))
    }
}

impl SearchBudget {
    /// The parts of so many searches at the same time.
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

/// What every move of a match may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeControl {
    /// So many simulations.
    Simulations(u64),
    /// So many moves in simulations.
    Steps(u64),
    /// So much time.
    Time(Duration),
}

impl TimeControl {
    /// The budget of a move that begins now.
    #[must_use]
    pub fn budget(self) -> SearchBudget {
        match self {
            Self::Simulations(count) => SearchBudget::Simulations(count),
            Self::Steps(count) => SearchBudget::Steps(count),
            Self::Time(time) => SearchBudget::within(time),
        }
    }
}

/// A budget being spent.
#[derive(Debug, Clone, Copy)]
pub struct BudgetClock {
    budget: SearchBudget,
    begun: Instant,
    /// Simulations begun.
    started: u64,
    /// Moves made by those that have ended.
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

    /// Counts as many simulations as are allowed of those asked for.
    pub fn allow(&mut self, wanted: u32) -> u32 {
        let allowed = match self.budget {
            SearchBudget::Simulations(limit) => u64::from(wanted).min(limit - self.started) as u32,
            SearchBudget::Steps(limit) if self.steps >= limit => 0,
            SearchBudget::Steps(_) | SearchBudget::Until(_) => wanted,
        };
        self.started += u64::from(allowed);
        allowed
    }

    /// Counts the moves of simulations that have ended.
    pub fn count_steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Whether no more simulations may begin.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        match self.budget {
            SearchBudget::Simulations(limit) => self.started >= limit,
            SearchBudget::Steps(limit) => self.steps >= limit,
            SearchBudget::Until(_) => self.expired(),
        }
    }

    /// Whether simulations in flight have to be abandoned.
    #[must_use]
    pub fn expired(&self) -> bool {
        matches!(self.budget, SearchBudget::Until(deadline) if Instant::now() >= deadline)
    }

    /// Since the start.
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
