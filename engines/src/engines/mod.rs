//! The engines that run a game: one interface, three ways.

mod builtin;
mod native;
mod net;
mod reference;
mod rows;
mod tables;

pub use builtin::{builtin, load_builtin};
pub use native::{Game, compile_native, emit_game};
pub use net::load as load_net;

use crate::input;
use crate::native::Limits;
use gdl_runtime::engine::Engine;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::compile::{Compilation, Stopwatch, compile};
use gdlc::rules::Program;
use gdlc::source::Source;
use reference::ReferenceEngine;
use std::path::Path;
use std::sync::Arc;

/// Which engine runs a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum EngineKind {
    /// Evaluates the rules as they stand: slow, and the yardstick of the others
    Reference,
    /// Runs the game's logic network at once, without a compiler
    Net,
    /// Runs the game compiled to machine code
    Native,
}

/// What engines can be told.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Limits of one evaluation by the reference engine.
    pub evaluation: gdlc::reference::EvaluationBudget,
    /// Limits of grounding, and passes to leave out.
    pub compilation: gdlc::compile::CompileOptions,
    /// Lanes a word of the net and native engines; the widest if none.
    pub width: Option<Width>,
}

/// A game in an engine.
pub struct Loaded {
    /// The engine, ready to play.
    pub engine: Box<dyn Engine>,
    /// What loading consisted of: stages and how many seconds they took, in order.
    pub setup: Vec<(&'static str, f64)>,
    /// What the compiler made of it; none of the reference engine and of games
    /// that were compiled before.
    pub size: Option<Size>,
}

/// How large a compiled game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Roles.
    pub roles: usize,
    /// Fluents, a row each.
    pub fluents: usize,
    /// Moves of all roles.
    pub moves: usize,
    /// Conjunctions of the net, after all passes.
    pub gates: usize,
    /// Three-input operations of a step, goals included.
    pub operations: usize,
    /// Bytes of all rows of a machine.
    pub bytes: usize,
}

impl Size {
    fn of(compilation: &Compilation, engine: &LaneEngine) -> Self {
        let plan = &compilation.plan;
        Self {
            roles: plan.roles.len(),
            fluents: plan.bases.len(),
            moves: plan.moves.len(),
            gates: compilation.propnet.size().gates,
            operations: plan.size(),
            bytes: engine.row_bytes(),
        }
    }
}

/// Opens a game to be played: the rule sheet at `file`, or the game of that name
/// that is built in. A game that is too large for an engine goes to the next
/// slower one, and standard error says so.
///
/// # Errors
/// If there is no such game, or it has errors.
pub fn open(file: &Path, kind: EngineKind, options: &Options) -> anyhow::Result<Loaded> {
    let width = options.width.unwrap_or_else(Width::widest);
    if let (false, Some(name)) = (file.exists(), file.to_str())
        && let Some(engine) = load_builtin(name, width)
    {
        return Ok(Loaded {
            engine: Box::new(engine),
            setup: Vec::new(),
            size: None,
        });
    }
    open_source(&input::read(file)?, kind, options)
}

/// Opens the game of a rule sheet to be played, as [`open`] does.
///
/// # Errors
/// If it has errors.
pub fn open_source(
    source: &Arc<Source>,
    kind: EngineKind,
    options: &Options,
) -> anyhow::Result<Loaded> {
    let mut kind = kind;
    loop {
        let error = match load_timed(source, kind, options) {
            Err(error) if error.downcast_ref::<input::Refused>().is_none() => error,
            outcome => return outcome,
        };
        let Some(slower) = kind.slower() else {
            return Err(error);
        };
        eprintln!("the {kind} engine cannot run this game, {slower} does: {error:#}");
        kind = slower;
    }
}

/// Loads a game into an engine.
///
/// # Errors
/// [`input::Refused`] if the rule sheet has errors; otherwise why the engine cannot
/// run this game.
pub fn load(
    source: &Arc<Source>,
    kind: EngineKind,
    options: &Options,
) -> anyhow::Result<Box<dyn Engine>> {
    load_timed(source, kind, options).map(|loaded| loaded.engine)
}

/// Loads a game into an engine and says how long each stage took.
///
/// # Errors
/// As [`load`].
pub fn load_timed(
    source: &Arc<Source>,
    kind: EngineKind,
    options: &Options,
) -> anyhow::Result<Loaded> {
    let mut watch = Stopwatch::start();
    let program = input::check(Arc::clone(source))?;
    watch.lap("check");
    let mut size = None;
    let engine: Box<dyn Engine> = match kind {
        EngineKind::Reference => {
            let engine = ReferenceEngine::load(program, options.evaluation)?;
            watch.lap("load");
            Box::new(engine)
        }
        EngineKind::Net => {
            let width = options.width.unwrap_or_else(Width::widest);
            let compilation = compile(&program, &options.compilation)?;
            watch.append(&compilation.stages);
            let engine = net::load(&source.name, &compilation.plan, width);
            size = Some(Size::of(&compilation, &engine));
            watch.lap("assemble");
            Box::new(engine)
        }
        EngineKind::Native => {
            let width = options.width.unwrap_or_else(Width::widest);
            let compilation = compile(&program, &options.compilation)?;
            watch.append(&compilation.stages);
            let game = Game {
                name: &source.name,
                rules: Some(&source.text[..]).filter(|_| options.compilation.without.is_empty()),
                program: &program,
                plan: &compilation.plan,
                width,
            };
            let engine = compile_native(&game, &Limits::FOREGROUND, &StopFlag::default())?;
            size = Some(Size::of(&compilation, &engine));
            watch.lap("rustc");
            Box::new(engine)
        }
    };
    Ok(Loaded {
        engine,
        setup: watch.stages,
        size,
    })
}

/// Loads a program into the reference engine.
///
/// # Errors
/// If its first step exceeds the budget.
pub fn load_reference(
    program: Program,
    evaluation: gdlc::reference::EvaluationBudget,
) -> anyhow::Result<Box<dyn Engine>> {
    Ok(Box::new(ReferenceEngine::load(program, evaluation)?))
}

impl EngineKind {
    /// The engine to fall back on.
    fn slower(self) -> Option<Self> {
        match self {
            Self::Native => Some(Self::Net),
            Self::Net => Some(Self::Reference),
            Self::Reference => None,
        }
    }
}

impl std::fmt::Display for EngineKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reference => "reference",
            Self::Net => "net",
            Self::Native => "native",
        })
    }
}
