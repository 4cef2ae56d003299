//! From a plan to an engine: emission, compilation, loading.

use super::{CompileLimits, CompileRequest, CompilerCache, Library, NativeError};
use crate::game::{CheckedGame, LoadError, LoadedEngine};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::emit::{self, MOST_OPERATIONS, ModuleHeader};
use gdlc::plan::{Arity, Plan};
use gdlc::rules::Program;

/// A game to compile.
#[derive(Debug, Clone, Copy)]
pub struct NativeGame<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The text of its rules, by which [`CompilerCache::find_compiled`] finds it later;
    /// `None` if the plan does not follow from them alone.
    pub rules: Option<&'a str>,
    /// The checked rules.
    pub program: &'a Program,
    /// The plan made from them.
    pub plan: &'a Plan,
    /// The width to compile for: a single one, since the compiler's time grows in
    /// proportion to the number of widths.
    pub width: Width,
}

/// Loads a checked game.
pub(crate) fn load(mut game: CheckedGame<'_>) -> Result<LoadedEngine, LoadError> {
    let level = game.options.level();
    let width = game.options.width.unwrap_or(level.widest_compiled());
    // By the width alone: the cache, too, finds a game by its rules and the width.
    let compilation = game.compile(Arity::of(width.level(), width))?;
    let is_complete = game.options.compilation.without.is_empty();
    let native = NativeGame {
        name: &game.source.name,
        rules: is_complete.then_some(&game.source.text[..]),
        program: &game.program,
        plan: &compilation.plan,
        width,
    };
    let engine = compile_game(&native, &CompileLimits::FOREGROUND, &StopFlag::default())?;
    Ok(game.loaded_compiled(engine, &compilation, "rustc"))
}

/// Compiles a game, with the compiler and the cache that the environment names, and
/// loads it.
///
/// # Errors
/// If the game is too large for a compiler; otherwise as
/// [`CompilerCache::build_library`].
pub fn compile_game(
    game: &NativeGame<'_>,
    limits: &CompileLimits,
    stop: &StopFlag,
) -> Result<LaneEngine, NativeError> {
    let code = emit_game(game.name, game.program, game.plan, &[game.width])?;
    let request = CompileRequest {
        code: &code,
        rules: game.rules.map(|rules| (rules, game.width)),
    };
    let cache = CompilerCache::from_environment()?;
    Library::load(&cache.build_library(&request, limits, stop)?)?.engine(game.width)
}

/// Emits the code of a game for these widths.
///
/// # Errors
/// [`NativeError::TooLarge`] if the game is too large for a compiler.
pub fn emit_game(
    name: &str,
    program: &Program,
    plan: &Plan,
    widths: &[Width],
) -> Result<String, NativeError> {
    let operations = plan.size();
    if operations > MOST_OPERATIONS {
        return Err(NativeError::TooLarge {
            name: name.to_owned(),
            operations,
            limit: MOST_OPERATIONS,
        });
    }
    let header = ModuleHeader {
        name,
        rules: &emit::rule_lines(program),
        widths,
    };
    emit::emit(plan, &header).map_err(|error| NativeError::Emit(error.into()))
}
