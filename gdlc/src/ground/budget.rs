//! What a grounding may cost: [`GroundingBudget`], the [`GroundingMeter`] that is read while it
//! runs, and the [`GroundError`] that names the rule when it is exceeded.

use crate::diag::Diagnostic;
use crate::rules::{Program, RuleId};
use crate::source::{Source, Span};
use gdl_runtime::stop_flag::StopFlag;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Limits of one grounding.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundingBudget {
    /// Ground atoms of all relations, static and split ones included.
    pub atoms: u64,
    /// Rule instances that vary with the state or the moves.
    pub instances: u64,
    /// Bytes of all tables together, as estimated from their lengths.
    pub bytes: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Symbols in one ground term: functions that feed themselves end here.
    pub term_size: u32,
    /// What calls the grounding off.
    pub stop: Option<StopFlag>,
}

impl GroundingBudget {
    /// No limit at all, but that of the numbers.
    pub(super) const UNLIMITED: Self = Self {
        atoms: u64::MAX,
        instances: u64::MAX,
        bytes: u64::MAX,
        time: Duration::MAX,
        term_size: u32::MAX,
        stop: None,
    };

    /// The lower of each two limits; called off as the first is, if it can be.
    #[must_use]
    pub fn at_most(&self, other: &Self) -> Self {
        Self {
            atoms: self.atoms.min(other.atoms),
            instances: self.instances.min(other.instances),
            bytes: self.bytes.min(other.bytes),
            time: self.time.min(other.time),
            term_size: self.term_size.min(other.term_size),
            stop: self.stop.clone().or_else(|| other.stop.clone()),
        }
    }
}

impl Default for GroundingBudget {
    /// 20 million atoms, 16 million instances, 2 GiB, 60 s, 1000 symbols: what
    /// is made of the instances afterwards has to fit a common machine too.
    fn default() -> Self {
        Self {
            atoms: 20_000_000,
            instances: 16_000_000,
            bytes: 2 << 30,
            time: Duration::from_secs(60),
            term_size: 1000,
            stop: None,
        }
    }
}

/// Why a rule sheet was not grounded.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// More atoms than allowed.
    Atoms {
        /// The limit.
        limit: u64,
    },
    /// More rule instances than allowed.
    Instances {
        /// The limit.
        limit: u64,
    },
    /// More memory than allowed.
    Bytes {
        /// The limit.
        limit: u64,
    },
    /// More time than allowed.
    Time {
        /// The limit.
        limit: Duration,
    },
    /// A term larger than allowed.
    TermSize {
        /// The limit.
        limit: u32,
    },
    /// It was called off.
    Cancelled,
    /// A goal value that is not a whole number of 32 bits.
    GoalValue {
        /// The `goal` atom.
        atom: String,
    },
}

impl Refusal {
    /// Whether fewer atoms and instances would have helped.
    pub(super) const fn is_about_size(&self) -> bool {
        matches!(
            self,
            Self::Atoms { .. } | Self::Instances { .. } | Self::Bytes { .. }
        )
    }
}

/// How far a grounding got.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GroundingProgress {
    /// Atoms found.
    pub atoms: u64,
    /// Instances recorded.
    pub instances: u64,
    /// Bytes of all tables, estimated.
    pub bytes: u64,
    /// Time spent.
    pub time: Duration,
}

/// A rule sheet that cannot be grounded within its budget, or makes no sense
/// once grounded.
#[derive(Debug, Clone)]
pub struct GroundError {
    /// The rule sheet.
    pub source: Arc<Source>,
    /// The rule that was being instantiated.
    pub span: Span,
    /// What went wrong.
    pub refusal: Refusal,
    /// How far it got.
    pub progress: GroundingProgress,
}

impl GroundError {
    /// An error about `rule`.
    pub(super) fn new(program: &Program, rule: RuleId, exceeded: Exceeded) -> Self {
        Self {
            source: Arc::clone(&program.source),
            span: program.rules[rule].span,
            refusal: exceeded.refusal,
            progress: exceeded.progress,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atoms { limit } => write!(f, "grounding needs more than {limit} atoms"),
            Self::Instances { limit } => {
                write!(f, "grounding needs more than {limit} rule instances")
            }
            Self::Bytes { limit } => {
                write!(f, "grounding needs more than {} MiB", limit >> 20)
            }
            Self::Time { limit } => {
                write!(
                    f,
                    "grounding takes longer than {:.1} s",
                    limit.as_secs_f64()
                )
            }
            Self::TermSize { limit } => {
                write!(f, "grounding builds a term of more than {limit} symbols")
            }
            Self::Cancelled => f.write_str("grounding was called off"),
            Self::GoalValue { atom } => {
                write!(
                    f,
                    "a goal value has to be a whole number, but {atom} can hold"
                )
            }
        }
    }
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.source.line_column(self.span.start as usize);
        write!(
            f,
            "{}:{line}:{column}: {} ({})",
            self.source.name, self.refusal, self.progress
        )
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

impl std::error::Error for GroundError {}

impl From<GroundError> for Diagnostic {
    fn from(error: GroundError) -> Self {
        let message = error.refusal.to_string();
        let code = match error.refusal {
            Refusal::GoalValue { .. } => "goal-value",
            _ => "grounding-budget",
        };
        let mut diagnostic = Self::error(code, &error.source, error.span, message);
        diagnostic
            .label("while instantiating this rule")
            .note(error.progress.to_string());
        diagnostic
    }
}

/// A budget exceeded, not yet blamed on a rule. Boxed: it travels through the
/// inner loop.
#[derive(Debug)]
pub(super) struct Exceeded {
    pub refusal: Refusal,
    pub progress: GroundingProgress,
}

/// How many steps pass between two looks at the clock.
const STEPS_PER_LOOK: u32 = 1 << 15;

/// Counts what a grounding has spent.
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
            started: Instant::now(),
            steps: 0,
            atoms: 0,
            instances: 0,
        }
    }

    /// The limit on the symbols of a term.
    pub const fn term_size(&self) -> u32 {
        self.budget.term_size
    }

    /// Counts one step; whether it is time to [`look`](Self::look).
    #[inline]
    pub const fn is_due(&mut self) -> bool {
        self.steps += 1;
        if self.steps < STEPS_PER_LOOK {
            return false;
        }
        self.steps = 0;
        true
    }

    /// Compares everything with the limits.
    #[cold]
    pub fn look(&self, bytes: u64) -> Result<(), Box<Exceeded>> {
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
