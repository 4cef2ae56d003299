//! The pipeline: from a program to a plan, and from text to emitted Rust.

use crate::diag::{self, Diagnostic};
use crate::emit::{EmitError, MOST_OPERATIONS, ModuleHeader, emit, rule_lines};
use crate::functional;
use crate::ground::{self, GroundError, GroundProgram, GroundingBudget};
use crate::plan::{self, Arity, Plan};
use crate::propnet::passes::{PassReport, run_passes_while};
use crate::propnet::{self, Propnet, PropnetSize};
use crate::propnet_budget::{PropnetBudget, PropnetError, PropnetMeter};
use crate::rules::{self, Program};
use crate::source::Source;
use crate::visited_lists;
use gdl_runtime::lanes::Width;
use std::sync::Arc;
use std::time::Instant;

/// Settings of a compilation.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// Limits of grounding. Its stop flag stops the later stages, too.
    pub budget: GroundingBudget,
    /// Limits of what follows grounding.
    pub propnet_budget: PropnetBudget,
    /// Names of passes over the propnet to leave out.
    pub without: Vec<String>,
    /// How many inputs an operation of the plan may have.
    pub arity: Arity,
}

/// A compiled game with the results of the intermediate stages.
#[derive(Debug)]
pub struct Compilation {
    /// The rules without variables.
    pub ground: GroundProgram,
    /// The propnet after all passes.
    pub propnet: Propnet,
    /// What a machine does in one step of the game.
    pub plan: Plan,
    /// The size of the propnet before the passes.
    pub assembled: PropnetSize,
    /// What each pass did.
    pub passes: Vec<PassReport>,
    /// The stages and their durations in seconds, in order.
    pub stages: Vec<(&'static str, f64)>,
}

/// Why a program was not compiled to a plan.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PlanError {
    /// It cannot be grounded within the budget.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// What follows grounding exceeds the budget.
    #[error(transparent)]
    Propnet(#[from] PropnetError),
}

/// Why a rule sheet was not compiled to Rust.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The rule sheet has errors: all errors and warnings, by position. Or grounding
    /// it exceeds the budget: that error alone.
    #[error("{}", diag::render(.0, false))]
    Diagnosed(Vec<Diagnostic>),
    /// The propnet is too large or takes too long.
    #[error(transparent)]
    Propnet(PropnetError),
    /// The game is too large for rustc.
    #[error("{name} takes {operations} operations per step; {MOST_OPERATIONS} can be compiled")]
    TooLarge {
        /// The name of the game.
        name: String,
        /// The number of operations of a step.
        operations: usize,
    },
    /// A defect of the emitter.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

impl From<PlanError> for CompileError {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Ground(error) => Self::Diagnosed(vec![error.into()]),
            PlanError::Propnet(error) => Self::Propnet(error),
        }
    }
}

/// Compiles the text of a rule sheet to the text of a Rust module that depends on
/// `gdl_runtime` alone. Its static `GAME` is the game, called `name`, at every
/// lane width.
///
/// # Errors
/// If the rule sheet has errors (the diagnostics call it `name`), or if the game is
/// too large for the default budgets or to be compiled by rustc.
pub fn compile_text(name: &str, text: &str) -> Result<String, CompileError> {
    compile_source(&Source::new(name, text), name)
}

/// Compiles as [`compile_text`] does; diagnostics call the rule sheet by the name of its
/// source.
///
/// # Errors
/// As [`compile_text`].
pub fn compile_source(source: &Arc<Source>, name: &str) -> Result<String, CompileError> {
    let checked = rules::check(Arc::clone(source));
    let Some(program) = checked.program else {
        return Err(CompileError::Diagnosed(checked.diagnostics));
    };
    let compilation = compile(&program, &CompileOptions::default())?;
    let operations = compilation.plan.size();
    if operations > MOST_OPERATIONS {
        let name = name.to_owned();
        return Err(CompileError::TooLarge { name, operations });
    }
    let header = ModuleHeader {
        name,
        rules: &rule_lines(&program),
        widths: &Width::COMPILED,
    };
    Ok(emit(&compilation.plan, &header)?)
}

/// Compiles a program to a plan.
///
/// # Errors
/// If a budget is exceeded; where grounding is too large, the error names the rule.
pub fn compile(program: &Program, options: &CompileOptions) -> Result<Compilation, PlanError> {
    let mut watch = Stopwatch::start();
    let ground = ground_rules(program, &options.budget)?;
    watch.lap("ground");
    let meter = PropnetMeter::start(
        program,
        &options.propnet_budget,
        options.budget.stop.as_ref(),
    );
    let assembled = propnet::assemble(&ground);
    let assembled_size = assembled.size();
    meter.check_size(assembled_size)?;
    watch.lap("net");
    let proceed = || meter.check_time();
    let (propnet, passes) = run_passes_while(assembled, &options.without, proceed)?;
    watch.lap("passes");
    let plan = plan::plan(&propnet, options.arity, proceed)?;
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

/// Drops visited lists that decide nothing, then grounds the program: in full if that takes at
/// most a million atoms and six million instances, otherwise on demand, with negations and
/// conjunctions beside functional fluents rewritten.
///
/// # Errors
/// If the budget is exceeded; the error names the rule.
pub fn ground_rules(
    program: &Program,
    budget: &GroundingBudget,
) -> Result<GroundProgram, GroundError> {
    let budget = &budget.shared();
    let rewritten = visited_lists::without_visited_lists(program, budget);
    let program = rewritten.as_ref().unwrap_or(program);
    let first = ground::ground_in_full(program, &budget.at_most(&ground::FIRST_TRY));
    if !is_too_large(&first) {
        return first;
    }
    if let Some(rewritten) = functional::rewrite(program, budget) {
        let second = ground::ground_on_demand(&rewritten, budget);
        if !is_too_large(&second) {
            return second;
        }
    }
    ground::ground_on_demand(program, budget)
}

fn is_too_large(grounded: &Result<GroundProgram, GroundError>) -> bool {
    grounded
        .as_ref()
        .is_err_and(|error| error.refusal.is_about_size())
}

/// Measures the duration of consecutive stages.
#[derive(Debug)]
pub struct Stopwatch {
    last: Instant,
    /// The completed stages and their durations in seconds, in order.
    pub stages: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    /// Starts timing the first stage.
    #[must_use]
    pub fn start() -> Self {
        Self {
            last: Instant::now(),
            stages: Vec::new(),
        }
    }

    /// Ends the current stage and starts the next.
    pub fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64();
        tracing::debug!(stage, seconds);
        self.stages.push((stage, seconds));
        self.last = now;
    }

    /// Appends stages that were timed elsewhere and starts the next one.
    pub fn append(&mut self, stages: &[(&'static str, f64)]) {
        self.stages.extend_from_slice(stages);
        self.last = Instant::now();
    }
}
