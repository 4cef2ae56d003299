//! A game being loaded into an engine: options, the checked rules, and the result.

use crate::input::{InvalidRules, ReadRulesError};
use crate::native::NativeError;
use crate::structure::find_structure_later;
use gdl_runtime::engine::Engine;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdlc::compile::{Compilation, CompileOptions, PlanError, Stopwatch, compile};
use gdlc::plan::Arity;
use gdlc::reference::ReferenceError;
use gdlc::rules::Program;
use gdlc::source::Source;

/// Options of engines.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    /// Limits of one evaluation by the reference engine.
    pub evaluation: gdlc::reference::EvaluationBudget,
    /// Limits of grounding, and passes to leave out. How many inputs operations have
    /// follows from the level and the width.
    pub compilation: CompileOptions,
    /// The instructions that the net and native engines use; those of this processor if
    /// `None`.
    pub level: Option<CpuLevel>,
    /// Lanes per word of the net and native engines; if `None`, the widest of the level
    /// that is worth it.
    pub width: Option<Width>,
}

impl EngineOptions {
    /// The instructions that engines use.
    #[must_use]
    pub fn level(&self) -> CpuLevel {
        self.level.unwrap_or_else(CpuLevel::of_processor)
    }

    /// Lanes per word of the net engine.
    #[must_use]
    pub fn width(&self) -> Width {
        self.width.unwrap_or_else(|| self.level().widest())
    }
}

/// Why a game was not loaded into an engine.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The rule sheet cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadRulesError),
    /// The rules have errors.
    #[error("{0}")]
    Invalid(#[from] InvalidRules),
    /// The reference engine cannot evaluate the first position or the first step.
    #[error("the initial state cannot be {verb}: {error}")]
    Reference {
        /// What was tried: "computed" or "evaluated".
        verb: &'static str,
        /// Why it failed.
        error: ReferenceError,
    },
    /// The rules cannot be compiled within the budgets.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The compiled rules cannot be made into machine code.
    #[error(transparent)]
    Native(#[from] NativeError),
}

/// A game in an engine.
pub struct LoadedEngine {
    /// The engine, ready to play.
    pub engine: Box<dyn Engine>,
    /// The stages of loading and the seconds that each took, in order.
    pub setup: Vec<(&'static str, f64)>,
    /// How large the compiled game is; `None` for the reference engine and for games
    /// that were compiled before.
    pub size: Option<GameSize>,
}

/// How large a compiled game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameSize {
    /// The number of roles.
    pub roles: usize,
    /// The number of fluents; a machine has one row for each.
    pub fluents: usize,
    /// The number of moves of all roles.
    pub moves: usize,
    /// The number of conjunctions in the propnet after all passes.
    pub gates: usize,
    /// The number of operations per step, goals included.
    pub operations: usize,
    /// The same by phase, in the order of [`Phase::ALL`](gdlc::plan::Phase::ALL).
    pub phase_operations: [usize; 5],
    /// The size of all rows of a machine, in bytes.
    pub bytes: usize,
}

/// A game with valid rules that is being loaded into an engine.
pub(crate) struct CheckedGame<'a> {
    pub(crate) source: &'a Source,
    pub(crate) program: Program,
    pub(crate) options: &'a EngineOptions,
    /// Times the stages of loading.
    pub(crate) watch: Stopwatch,
}

impl CheckedGame<'_> {
    /// Compiles the rules to a plan of operations of at most this many inputs.
    pub(crate) fn compile(&mut self, arity: Arity) -> Result<Compilation, LoadError> {
        let options = CompileOptions {
            arity,
            ..self.options.compilation.clone()
        };
        let compilation = compile(&self.program, &options)?;
        self.watch.append(&compilation.stages);
        Ok(compilation)
    }

    /// Ends loading into an engine that needs no plan; `stage` names the last stage.
    pub(crate) fn loaded(
        mut self,
        engine: impl Engine + 'static,
        stage: &'static str,
    ) -> LoadedEngine {
        self.watch.lap(stage);
        LoadedEngine {
            engine: Box::new(engine),
            setup: self.watch.stages,
            size: None,
        }
    }

    /// Ends loading into an engine that runs a plan; `stage` names the last stage.
    pub(crate) fn loaded_compiled(
        self,
        engine: LaneEngine,
        compilation: &Compilation,
        stage: &'static str,
    ) -> LoadedEngine {
        let size = Some(GameSize::of(compilation, &engine));
        let engine = find_structure_later(engine, &self.program);
        LoadedEngine {
            size,
            ..self.loaded(engine, stage)
        }
    }
}

impl GameSize {
    fn of(compilation: &Compilation, engine: &LaneEngine) -> Self {
        let plan = &compilation.plan;
        Self {
            roles: plan.roles.len(),
            fluents: plan.bases.len(),
            moves: plan.moves.len(),
            gates: compilation.propnet.size().gates,
            operations: plan.size(),
            phase_operations: plan.phase_sizes(),
            bytes: engine.row_bytes(),
        }
    }
}
