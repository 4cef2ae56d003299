//! The pipeline: from a program to a plan.

use crate::ground::{self, GroundError, GroundProgram, GroundingBudget};
use crate::net::passes::{PassReport, run_passes};
use crate::net::{self, Net, NetSize};
use crate::plan::{self, Plan};
use crate::rules::Program;
use std::time::Instant;

/// What can be chosen about a compilation.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What grounding may cost.
    pub budget: GroundingBudget,
    /// Names of net passes to leave out.
    pub without: Vec<String>,
}

/// A compiled game, with what came before it.
#[derive(Debug)]
pub struct Compilation {
    /// The rules without variables.
    pub ground: GroundProgram,
    /// The net after all passes.
    pub net: Net,
    /// What a machine does in a step.
    pub plan: Plan,
    /// The size of the net before the passes.
    pub assembled: NetSize,
    /// What each pass did.
    pub passes: Vec<PassReport>,
    /// Stages and how many seconds they took, in order.
    pub stages: Vec<(&'static str, f64)>,
}

/// Compiles a program to a plan.
///
/// # Errors
/// If the budget does not suffice; the error names the rule.
pub fn compile(program: &Program, options: &Options) -> Result<Compilation, GroundError> {
    let mut watch = Stopwatch::start();
    let ground = ground::ground(program, &options.budget)?;
    watch.lap("ground");
    let assembled = net::assemble(&ground);
    let assembled_size = assembled.size();
    watch.lap("net");
    let (net, passes) = run_passes(assembled, &options.without);
    watch.lap("passes");
    let plan = plan::plan(&net);
    watch.lap("plan");
    Ok(Compilation {
        ground,
        net,
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
