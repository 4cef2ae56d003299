//! What a model belongs to: a state and the moves made in it.

use super::strata::AfterTrial;
use super::term::TermId;
use std::cmp::Ordering;

/// A state and the moves made in it.
#[derive(Debug, Clone)]
pub(super) struct EnteredState {
    pub(super) state: Box<[TermId]>,
    /// Roles and their moves: those that were made last, if none have been in this state.
    pub(super) moves: Vec<(TermId, TermId)>,
}

/// When strata are next evaluated anew, so that the work of both ways can be compared.
///
/// That may take much more work than the changes do, so that their work since the last trial
/// decides when it is time for the next one.
#[derive(Debug, Clone)]
pub(super) struct EntryTrial {
    /// All work when the current state was entered.
    before: u64,
    /// How the current state was entered.
    entry: EntryMode,
    /// The work of the last trial.
    trial: u64,
    /// The work of the states that were entered by changes since.
    changes: u64,
    /// The number of those states.
    pub(super) entered: u64,
    /// How many times the work of a trial there is to be before the next.
    spacing: u64,
    /// The number of trials since the last decision.
    trials: u64,
}

/// How a state is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryMode {
    /// By what differs from the state before.
    Changes,
    /// Anew, for a trial.
    Trial,
    /// Anew, because much differs.
    Anew,
}

/// The fewest states between two trials.
const FEWEST_STATES: u64 = 4;

/// The number of trials before a decision. They are spread over the states of several games.
const TRIALS: u64 = 8;

impl Default for EntryTrial {
    fn default() -> Self {
        Self {
            before: 0,
            entry: EntryMode::Anew,
            trial: 0,
            changes: 0,
            entered: 0,
            spacing: 4,
            trials: 0,
        }
    }
}

impl EntryTrial {
    /// Leaves a state, after so much work in all. The next one is entered anew unless something
    /// else is said.
    pub(super) const fn leave_state(&mut self, work: u64) {
        let spent = work - self.before;
        match self.entry {
            EntryMode::Changes => self.changes = self.changes.saturating_add(spent),
            EntryMode::Trial => self.trial = spent,
            EntryMode::Anew => {}
        }
        self.before = work;
        self.entry = EntryMode::Anew;
    }

    /// Enters a state by changes; returns whether it is time for a trial instead.
    pub(super) const fn enter_by_changes(&mut self) -> bool {
        self.entered += 1;
        self.entry = EntryMode::Changes;
        self.entered >= FEWEST_STATES && self.changes >= self.spacing.saturating_mul(self.trial)
    }

    /// Begins a trial: returns the number of states since the one before, and what follows it.
    /// After a decision there are fewer trials.
    pub(super) const fn begin(&mut self) -> (u64, AfterTrial) {
        let states = std::mem::replace(&mut self.entered, 0);
        self.changes = 0;
        self.entry = EntryMode::Trial;
        self.trials += 1;
        if self.trials < TRIALS {
            return (states, AfterTrial::Continue);
        }
        self.trials = 0;
        self.spacing = self.spacing.saturating_mul(4);
        (states, AfterTrial::Decide)
    }
}

/// Tells which facts of two states are in one of them, and whether in the new one.
pub(super) fn for_each_change(old: &[TermId], new: &[TermId], mut tell: impl FnMut(TermId, bool)) {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(old), Some(new)) => old.cmp(new),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let (gone, come) = match order {
            Ordering::Less => (old.next(), None),
            Ordering::Greater => (None, new.next()),
            Ordering::Equal => {
                old.next();
                new.next();
                (None, None)
            }
        };
        gone.into_iter().for_each(|&fact| tell(fact, false));
        come.into_iter().for_each(|&fact| tell(fact, true));
    }
}
