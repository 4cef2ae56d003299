//! Loading games into engines.

use crate::builtin::load_builtin;
use crate::engine_kind::EngineKind;
use crate::game::{CheckedGame, EngineOptions, LoadError, LoadedEngine};
use crate::input;
use gdl_runtime::engine::Engine;
use gdlc::compile::Stopwatch;
use gdlc::source::Source;
use std::path::Path;
use std::sync::Arc;

/// Opens a game to be played: the rule sheet at `file`, or the built-in game of that
/// name. A game that is too large for an engine goes to the next slower one, and
/// standard error says so. Built-in games have been compiled, and run on native code unless the
/// reference engine is asked for.
///
/// # Errors
/// If there is no such game, or it has errors.
pub fn open(
    file: &Path,
    kind: EngineKind,
    options: &EngineOptions,
) -> Result<LoadedEngine, LoadError> {
    open_with_rules(file, kind, options).map(|(loaded, _)| loaded)
}

/// Opens a game to be played as [`open`] does, and returns its rule sheet, too.
///
/// # Errors
/// If there is no such game, or it has errors.
pub fn open_with_rules(
    file: &Path,
    kind: EngineKind,
    options: &EngineOptions,
) -> Result<(LoadedEngine, Arc<Source>), LoadError> {
    if let (false, Some(name)) = (file.exists(), file.to_str())
        && let Some(opened) = open_builtin(name, kind, options)
    {
        return opened;
    }
    let source = input::read(file)?;
    Ok((open_source(&source, kind, options)?, source))
}

/// Opens the built-in game of a name to be played, and returns its rule sheet, too; `None` if there
/// is no such game.
///
/// # Errors
/// If the native code linked into this program is not what runs it, and [`open_source`] fails.
#[must_use]
pub fn open_builtin(
    name: &str,
    kind: EngineKind,
    options: &EngineOptions,
) -> Option<Result<(LoadedEngine, Arc<Source>), LoadError>> {
    let source = Source::new(name, gdl_games::rules(name)?);
    let compiled = (kind != EngineKind::Reference)
        .then(|| load_builtin(name, options.width()))
        .flatten();
    let loaded = match compiled {
        Some(engine) => Ok(LoadedEngine {
            engine: Box::new(engine),
            setup: Vec::new(),
            size: None,
        }),
        // Or this program was built without native code of games.
        None => open_source(&source, kind, options),
    };
    Some(loaded.map(|loaded| (loaded, source)))
}

/// Opens the game of a rule sheet to be played, as [`open`] does.
///
/// # Errors
/// If it has errors.
pub fn open_source(
    source: &Arc<Source>,
    kind: EngineKind,
    options: &EngineOptions,
) -> Result<LoadedEngine, LoadError> {
    let mut kind = kind;
    loop {
        let error = match load_timed(source, kind, options) {
            Ok(loaded) => return Ok(loaded),
            Err(error @ LoadError::Invalid(_)) => return Err(error),
            Err(error) => error,
        };
        let Some(slower) = kind.fallback() else {
            return Err(error);
        };
        eprintln!("the {kind} engine cannot run this game, {slower} does: {error}");
        kind = slower;
    }
}

/// Loads a game into an engine.
///
/// # Errors
/// [`LoadError::Invalid`] if the rule sheet has errors; otherwise why the engine cannot
/// run this game.
pub fn load(
    source: &Arc<Source>,
    kind: EngineKind,
    options: &EngineOptions,
) -> Result<Box<dyn Engine>, LoadError> {
    load_timed(source, kind, options).map(|loaded| loaded.engine)
}

/// Loads a game into an engine and times the stages.
///
/// # Errors
/// As [`load`].
pub fn load_timed(
    source: &Arc<Source>,
    kind: EngineKind,
    options: &EngineOptions,
) -> Result<LoadedEngine, LoadError> {
    let mut watch = Stopwatch::start();
    let program = input::check(Arc::clone(source))?;
    watch.lap("check");
    (kind.loader())(CheckedGame {
        source,
        program,
        options,
        watch,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtin_games_run_on_the_reference_engine_too() {
        let options = EngineOptions::default();
        let loaded = open(Path::new("tictactoe"), EngineKind::Reference, &options);
        let loaded = loaded.expect("the game is built in");
        assert_eq!(loaded.engine.name(), "reference");
    }
}
