//! What the stages after grounding may cost: the [`PropnetBudget`], and the [`PropnetError`] that
//! says which limit is exceeded.

use crate::propnet::PropnetSize;
use crate::rules::Program;
use gdl_runtime::stop_flag::StopFlag;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Limits on the stages after grounding: the propnet, its passes and the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropnetBudget {
    /// Operands of all conjunctions of the propnet as it is assembled. They bound the memory
    /// and the duration of each stage.
    pub operands: usize,
    /// Wall-clock time of all stages together; checked before each of them.
    pub time: Duration,
}

impl Default for PropnetBudget {
    /// 12 million operands and 60 s.
    fn default() -> Self {
        Self {
            operands: 12_000_000,
            time: Duration::from_secs(60),
        }
    }
}

/// Which limit of a [`PropnetBudget`] is exceeded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PropnetRefusal {
    /// More operands than allowed.
    #[error("the propnet has {size}, and {limit} operands are allowed")]
    Operands {
        /// The size of the propnet.
        size: PropnetSize,
        /// The limit.
        limit: usize,
    },
    /// More time than allowed.
    #[error("compiling the propnet takes longer than {:.1} s", .limit.as_secs_f64())]
    Time {
        /// The limit.
        limit: Duration,
    },
    /// The stop flag was raised.
    #[error("compiling the propnet was cancelled")]
    Cancelled,
}

/// A rule sheet whose propnet exceeds the budget.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{sheet}: {refusal}")]
pub struct PropnetError {
    /// The name of the rule sheet.
    pub sheet: String,
    /// The limit that is exceeded.
    pub refusal: PropnetRefusal,
}

/// Compares what compiling a program takes with its budget.
pub(crate) struct PropnetMeter<'a> {
    program: &'a Program,
    budget: &'a PropnetBudget,
    stop: Option<&'a StopFlag>,
    started: Instant,
}

impl<'a> PropnetMeter<'a> {
    /// Starts the clock.
    pub(crate) fn start(
        program: &'a Program,
        budget: &'a PropnetBudget,
        stop: Option<&'a StopFlag>,
    ) -> Self {
        Self {
            program,
            budget,
            stop,
            started: Instant::now(),
        }
    }

    /// Whether a propnet of this size may be compiled.
    pub(crate) fn check_size(&self, size: PropnetSize) -> Result<(), PropnetError> {
        let limit = self.budget.operands;
        match size.operands > limit {
            true => Err(self.error(PropnetRefusal::Operands { size, limit })),
            false => Ok(()),
        }
    }

    /// Whether there is time for the next stage and the result is still wanted.
    pub(crate) fn check_time(&self) -> Result<(), PropnetError> {
        let limit = self.budget.time;
        if self.stop.is_some_and(StopFlag::is_raised) {
            Err(self.error(PropnetRefusal::Cancelled))
        } else if self.started.elapsed() > limit {
            Err(self.error(PropnetRefusal::Time { limit }))
        } else {
            Ok(())
        }
    }

    fn error(&self, refusal: PropnetRefusal) -> PropnetError {
        PropnetError {
            sheet: self.program.source.name.clone(),
            refusal,
        }
    }
}
