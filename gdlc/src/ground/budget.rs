//! What grounding may cost: the [`GroundingBudget`], the [`GroundingMeter`] that
//! is compared with it, and the [`GroundError`] that names the rule if it is
//! exceeded.

use crate::diag::Diagnostic;
use crate::rules::{Program, RuleId};
use crate::source::{Source, Span};
use gdl_runtime::stop_flag::StopFlag;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Limits of one grounding.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundingBudget {
    /// Number of ground atoms of all relations, including static and auxiliary ones.
    pub atoms: u64,
    /// Number of rule instances that vary with the state or the moves.
    pub instances: u64,
    /// Bytes of all tables together, estimated from their lengths.
    pub bytes: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// When the time began, if several groundings share it; otherwise each begins anew.
    pub started: Option<Instant>,
    /// Number of symbols in one ground term: stops functions that nest without end.
    pub term_size: u32,
    /// The flag that stops grounding.
    pub stop: Option<StopFlag>,
}

impl GroundingBudget {
    /// Only the limits of the number types.
    pub(crate) const UNLIMITED: Self = Self {
        atoms: u64::MAX,
        instances: u64::MAX,
        bytes: u64::MAX,
        time: Duration::MAX,
        started: None,
        term_size: u32::MAX,
        stop: None,
    };

    /// The same limits with the time running from now on, if it does not yet.
    pub(crate) fn shared(&self) -> Self {
        Self {
            started: self.started.or_else(|| Some(Instant::now())),
            ..self.clone()
        }
    }

    /// What is left of the time.
    pub(crate) fn time_left(&self) -> Duration {
        let spent = self.started.map(|started| started.elapsed());
        self.time.saturating_sub(spent.unwrap_or_default())
    }

    /// The lower of each pair of limits, with the start and the stop flag of the first if
    /// it has them.
    #[must_use]
    pub fn at_most(&self, other: &Self) -> Self {
        Self {
            atoms: self.atoms.min(other.atoms),
            instances: self.instances.min(other.instances),
            bytes: self.bytes.min(other.bytes),
            time: self.time.min(other.time),
            started: self.started.or(other.started),
            term_size: self.term_size.min(other.term_size),
            stop: self.stop.clone().or_else(|| other.stop.clone()),
        }
    }
}

impl Default for GroundingBudget {
    /// 20 million atoms, 16 million instances, 2 GiB, 120 s, 1000 symbols: the later
    /// stages have to run on an ordinary machine, too.
    fn default() -> Self {
        Self {
            atoms: 20_000_000,
            instances: 16_000_000,
            bytes: 2 << 30,
            time: Duration::from_secs(120),
            started: None,
            term_size: 1000,
            stop: None,
        }
    }
}

/// Why a rule sheet was not grounded.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Refusal {
    /// More atoms than allowed.
    #[error("grounding needs more than {limit} atoms")]
    Atoms {
        /// The limit.
        limit: u64,
    },
    /// More rule instances than allowed.
    #[error("grounding needs more than {limit} rule instances")]
    Instances {
        /// The limit.
        limit: u64,
    },
    /// More memory than allowed.
    #[error("grounding needs more than {} MiB", .limit >> 20)]
    Bytes {
        /// The limit in bytes.
        limit: u64,
    },
    /// More time than allowed.
    #[error("grounding takes longer than {:.1} s", .limit.as_secs_f64())]
    Time {
        /// The limit.
        limit: Duration,
    },
    /// A term larger than allowed.
    #[error("grounding builds a term of more than {limit} symbols")]
    TermSize {
        /// The limit in symbols.
        limit: u32,
    },
    /// The stop flag was raised.
    #[error("grounding was cancelled")]
    Cancelled,
    /// A goal value that is not a whole number of 32 bits.
    #[error("a goal value has to be a whole number, but {atom} can hold")]
    GoalValue {
        /// The `goal` atom.
        atom: String,
    },
}

impl Refusal {
    /// Whether fewer atoms and instances might have sufficed.
    pub(crate) const fn is_about_size(&self) -> bool {
        matches!(
            self,
            Self::Atoms { .. } | Self::Instances { .. } | Self::Bytes { .. }
        )
    }
}

/// How far grounding got.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GroundingProgress {
    /// Number of atoms found.
    pub atoms: u64,
    /// Number of instances recorded.
    pub instances: u64,
    /// Estimated bytes of all tables.
    pub bytes: u64,
    /// Time spent.
    pub time: Duration,
}

/// A rule sheet that cannot be grounded within its budget, or that is not valid
/// once it is grounded.
#[derive(Debug, Clone, Error)]
pub struct GroundError {
    /// The rule sheet.
    pub sheet: Arc<Source>,
    /// The rule that was being instantiated.
    pub span: Span,
    /// What went wrong.
    pub refusal: Refusal,
    /// How far grounding got.
    pub progress: GroundingProgress,
}

impl GroundError {
    /// An error about `rule`.
    pub(super) fn new(program: &Program, rule: RuleId, exceeded: Exceeded) -> Self {
        Self {
            sheet: Arc::clone(&program.source),
            span: program.rules[rule].span,
            refusal: exceeded.refusal,
            progress: exceeded.progress,
        }
    }

    /// How far grounding got, unless that has nothing to do with the error.
    fn note(&self) -> Option<String> {
        let is_over = !matches!(self.refusal, Refusal::GoalValue { .. });
        is_over.then(|| self.progress.to_string())
    }
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.sheet.position(self.span), self.refusal)?;
        self.note().map_or(Ok(()), |note| write!(f, " ({note})"))
    }
}

impl fmt::Display for GroundingProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "so far {} atoms, {} rule instances, {} MiB, {:.1} s",
            self.atoms,
            self.instances,
            self.bytes >> 20,
            self.time.as_secs_f64()
        )
    }
}

impl From<GroundError> for Diagnostic {
    fn from(error: GroundError) -> Self {
        let message = error.refusal.to_string();
        let (code, label) = match error.refusal {
            Refusal::GoalValue { .. } => ("goal-value", "can derive this value"),
            _ => ("grounding-budget", "while instantiating this rule"),
        };
        let mut diagnostic = Self::error(code, &error.sheet, error.span, message);
        diagnostic.label(label);
        if let Some(note) = error.note() {
            diagnostic.note(note);
        }
        diagnostic
    }
}

/// An exceeded budget, not attributed to a rule yet.
#[derive(Debug)]
pub(super) struct Exceeded {
    pub refusal: Refusal,
    pub progress: GroundingProgress,
}

/// The number of steps between two comparisons with the budget.
const STEPS_PER_CHECK: u32 = 1 << 15;

/// The number of arguments of an atom that count as one more step.
const ARGS_PER_STEP: usize = 16;

/// Counts what has been spent.
pub(super) struct GroundingMeter {
    budget: GroundingBudget,
    started: Instant,
    steps: u32,
    pub atoms: u64,
    pub instances: u64,
}

impl GroundingMeter {
    pub fn new(budget: &GroundingBudget) -> Self {
        Self {
            budget: budget.clone(),
            started: budget.started.unwrap_or_else(Instant::now),
            steps: 0,
            atoms: 0,
            instances: 0,
        }
    }

    /// The limit on the symbols of a term.
    pub const fn term_size(&self) -> u32 {
        self.budget.term_size
    }

    /// Counts one step; returns whether it is time to [`check`](Self::check).
    #[inline]
    pub const fn is_due(&mut self) -> bool {
        self.steps += 1;
        if self.steps < STEPS_PER_CHECK {
            return false;
        }
        self.steps = 0;
        true
    }

    /// Counts an atom that has been looked up; the more arguments, the more it takes.
    #[inline]
    pub fn count_atom(&mut self, args: usize, new: bool) {
        self.steps += (args / ARGS_PER_STEP) as u32;
        self.atoms += u64::from(new);
    }

    /// Compares everything with the limits.
    #[cold]
    pub fn check(&self, bytes: u64) -> Result<(), Box<Exceeded>> {
        let progress = self.progress(bytes);
        let budget = &self.budget;
        let refusal = if budget.stop.as_ref().is_some_and(StopFlag::is_raised) {
            Refusal::Cancelled
        } else if progress.atoms > budget.atoms {
            Refusal::Atoms {
                limit: budget.atoms,
            }
        } else if progress.instances > budget.instances {
            Refusal::Instances {
                limit: budget.instances,
            }
        } else if bytes > budget.bytes {
            Refusal::Bytes {
                limit: budget.bytes,
            }
        } else if progress.time > budget.time {
            Refusal::Time { limit: budget.time }
        } else {
            return Ok(());
        };
        Err(Box::new(Exceeded { refusal, progress }))
    }

    /// The error of a term that is too large.
    #[cold]
    pub fn term_too_large(&self, bytes: u64) -> Box<Exceeded> {
        Box::new(Exceeded {
            refusal: Refusal::TermSize {
                limit: self.budget.term_size,
            },
            progress: self.progress(bytes),
        })
    }

    pub fn progress(&self, bytes: u64) -> GroundingProgress {
        GroundingProgress {
            atoms: self.atoms,
            instances: self.instances,
            bytes,
            time: self.started.elapsed(),
        }
    }
}
