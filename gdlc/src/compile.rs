//! The pipeline: from a program to a plan.

use crate::ground::{self, GroundError, GroundProgram, GroundingBudget};
use crate::plan::{self, Plan};
use crate::propnet::passes::{PassReport, run_passes};
use crate::propnet::{self, Propnet, PropnetSize};
use crate::rules::Program;
use std::time::Instant;

/// What can be chosen about a compilation.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// What grounding may cost.
    pub budget: GroundingBudget,
    /// Names of propnet passes to leave out.
    pub without: Vec<String>,
}

/// A compiled game, with what came before it.
#[derive(Debug)]
pub struct Compilation {
    /// The rules without variables.
    pub ground: GroundProgram,
    /// The propnet after all passes.
    pub propnet: Propnet,
    /// What a machine does in a step.
    pub plan: Plan,
    /// The size of the propnet before the passes.
    pub assembled: PropnetSize,
    /// What each pass did.
    pub passes: Vec<PassReport>,
    /// Stages and how many seconds they took, in order.
    pub stages: Vec<(&'static str, f64)>,
}

/// Compiles a program to a plan.
///
/// # Errors
/// If the budget does not suffice; the error names the rule.
pub fn compile(program: &Program, options: &CompileOptions) -> Result<Compilation, GroundError> {
    let mut watch = Stopwatch::start();
    let ground = ground::ground(program, &options.budget)?;
    watch.lap("ground");
    let assembled = propnet::assemble(&ground);
    let assembled_size = assembled.size();
    watch.lap("net");
    let (propnet, passes) = run_passes(assembled, &options.without);
    watch.lap("passes");
    let plan = plan::plan(&propnet);
    watch.lap("plan");
    Ok(Compilation {
        ground,
        propnet,
        plan,
        assembled: assembled_size,
        passes,
        stages: watch.stages,
    })
}

/// Takes the time of stages that follow one another.
#[derive(Debug)]
pub struct Stopwatch {
    last: Instant,
    /// The stages that have ended and how many seconds they took, in order.
    pub stages: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    /// The first stage begins.
    #[must_use]
    pub fn start() -> Self {
        Self {
            last: Instant::now(),
            stages: Vec::new(),
        }
    }

    /// A stage ends and the next begins.
    pub fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64();
        tracing::debug!(stage, seconds);
        self.stages.push((stage, seconds));
        self.last = now;
    }

    /// Stages that were timed elsewhere end the current one.
    pub fn append(&mut self, stages: &[(&'static str, f64)]) {
        self.stages.extend_from_slice(stages);
        self.last = Instant::now();
    }
}
