//! When a search has to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a move may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
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

impl Budget {
    /// From now on for so long.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        let now = Instant::now();
        // A time that no clock can hold is a day of thought.
        let day = Duration::from_secs(86_400);
        Self::Until(now.checked_add(time).unwrap_or(now + day))
    }
}

impl Budget {
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
pub enum Allowance {
    /// So many simulations.
    Simulations(u64),
    /// So many moves in simulations.
    Steps(u64),
    /// So much time.
    Time(Duration),
}

impl Allowance {
    /// The budget of a move that begins now.
    #[must_use]
    pub fn budget(self) -> Budget {
        match self {
            Self::Simulations(count) => Budget::Simulations(count),
            Self::Steps(count) => Budget::Steps(count),
            Self::Time(time) => Budget::within(time),
        }
    }
}

/// A budget being spent.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    budget: Budget,
    begun: Instant,
    /// Simulations begun.
    started: u64,
    /// Moves made by those that have ended.
    steps: u64,
}

impl Clock {
    /// Starts to spend a budget.
    #[must_use]
    pub fn start(budget: Budget) -> Self {
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
            Budget::Simulations(limit) => u64::from(wanted).min(limit - self.started) as u32,
            Budget::Steps(limit) if self.steps >= limit => 0,
            Budget::Steps(_) | Budget::Until(_) => wanted,
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
            Budget::Simulations(limit) => self.started >= limit,
            Budget::Steps(limit) => self.steps >= limit,
            Budget::Until(_) => self.expired(),
        }
    }

    /// Whether simulations in flight have to be abandoned.
    #[must_use]
    pub fn expired(&self) -> bool {
        matches!(self.budget, Budget::Until(deadline) if Instant::now() >= deadline)
    }

    /// Since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// Calls a search back from another thread.
///
/// A search returns as long as its bell rings, also one that only begins; nobody
/// but its owner silences it. So no call is missed: who calls puts down what it is
/// about before it rings, and the owner silences the bell before it looks at what
/// was put down.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<AtomicBool>);

impl Bell {
    /// Calls the search back.
    pub fn ring(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Lets searches run again. What was put down before the bell rang is seen by
    /// whoever silences it.
    pub fn silence(&self) {
        self.0.swap(false, Ordering::AcqRel);
    }

    /// Whether it rings: as cheap as reading a variable.
    #[must_use]
    pub fn is_ringing(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_split_without_rest() {
        let parts = |budget: Budget| budget.split(3).collect::<Vec<_>>();
        assert_eq!(
            parts(Budget::Simulations(8)),
            [3, 3, 2].map(Budget::Simulations)
        );
        assert_eq!(parts(Budget::Steps(8)), [3, 3, 2].map(Budget::Steps));
    }
}
