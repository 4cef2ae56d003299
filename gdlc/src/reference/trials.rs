//! Whether it is less work to keep a stratum up to date or to evaluate it anew.
//!
//! The work of changes is known for every state that is entered by them. The work of
//! evaluating everything anew is measured by trials: the next one is due when changes have
//! taken several times the work of the last. A single state says little, above all the first of
//! a game, when the board is empty. So a decision is preceded by several trials, spread over
//! the states of several games, unless changes turn out to take much more work before that.

/// The fewest states between two trials.
const FEWEST_STATES: u64 = 4;

/// The number of trials before a decision.
const TRIALS: u64 = 8;

/// How much more work changes may take than evaluations would have, before a decision is due.
const ALLOWANCE: u64 = 10_000;

/// When strata are next evaluated anew, so that the work of both ways can be compared.
#[derive(Debug, Clone)]
pub(super) struct TrialSchedule {
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
    /// The next trial is due once changes have taken this many times the work of the last.
    spacing: u64,
    /// The number of trials since the last decision.
    trials: u64,
}

impl Default for TrialSchedule {
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

impl TrialSchedule {
    /// Leaves a state; `work` is all work so far. The next state counts as entered anew unless
    /// [`enter_by_changes`](Self::enter_by_changes) or [`begin`](Self::begin) is called.
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

    /// Begins a trial: returns the number of states since the last one, and what follows this one.
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

/// What a trial is followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterTrial {
    /// Another trial, unless changes take much more work than evaluations.
    Continue,
    /// The decision whether changes take more work than evaluations.
    Decide,
}

/// How much work a stratum takes: the number of rows looked for, looked at, and derived.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StratumWork {
    /// Its last evaluation.
    whole: u64,
    /// Changes in the current state.
    pub(super) in_state: u64,
    /// Changes in earlier states since the last decision.
    changes: u64,
    /// The number of those states.
    states: u64,
    /// Evaluations in trials since the last decision.
    evaluations: u64,
    /// The number of those trials.
    trials: u64,
    /// What follows the trial that its next evaluation is part of, if it is part of one.
    trial: Option<AfterTrial>,
}

impl StratumWork {
    /// The most work that changes may take in a state; beyond it, everything is evaluated anew.
    pub(super) const fn most_in_state(&self) -> u64 {
        4 * self.whole + 1000
    }

    /// Begins to count anew for another state.
    pub(super) const fn end_state(&mut self) {
        self.changes += self.in_state;
        self.in_state = 0;
    }

    /// Begins a trial, this many states after the last one.
    pub(super) fn begin_trial(&mut self, states: u64, after: AfterTrial) {
        self.end_state();
        self.states += states;
        if self.trial != Some(AfterTrial::Decide) {
            self.trial = Some(after);
        }
    }

    /// Notes the work of an evaluation; returns whether changes take too much more work than that.
    pub(super) fn note_evaluation(&mut self, work: u64) -> bool {
        self.whole = work;
        let Some(after) = self.trial.take() else {
            return false;
        };
        self.evaluations += work;
        self.trials += 1;
        let whole = self.evaluations.saturating_mul(self.states) / self.trials;
        // Facts that change are entered in all indices of their relation, which is not counted.
        let changes = self.changes.saturating_mul(3) / 2;
        match after {
            AfterTrial::Continue => changes > whole.saturating_add(ALLOWANCE),
            AfterTrial::Decide => {
                *self = Self {
                    whole: self.whole,
                    ..Self::default()
                };
                changes > whole
            }
        }
    }
}
