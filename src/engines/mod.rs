//! The engines that run a game: one interface, three ways.

mod net;
mod reference;
mod rows;

use crate::input;
use gdlc::compile::compile;
use gdlc::source::Source;
use reference::ReferenceEngine;
use runtime::engine::Engine;
use runtime::lanes::Width;
use std::sync::Arc;

/// Which engine runs a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum EngineKind {
    /// Evaluates the rules as they stand: slow, and the yardstick of the others
    Reference,
    /// Runs the game's logic network from tables
    Net,
    /// Runs the game compiled to machine code
    Native,
}

/// What engines can be told.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Limits of one evaluation by the reference engine.
    pub evaluation: gdlc::reference::Budget,
    /// Limits of grounding, and passes to leave out.
    pub compilation: gdlc::compile::Options,
    /// Lanes a word of the net and native engines; the widest if none.
    pub width: Option<Width>,
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
    let program = input::check(Arc::clone(source))?;
    match kind {
        EngineKind::Reference => Ok(Box::new(ReferenceEngine::load(
            program,
            options.evaluation,
        )?)),
        EngineKind::Net => {
            let width = options.width.unwrap_or_else(Width::widest);
            let compilation = compile(&program, &options.compilation)?;
            Ok(Box::new(net::load(&source.name, &compilation.plan, width)))
        }
        EngineKind::Native => anyhow::bail!("the {kind} engine is not built yet"),
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
