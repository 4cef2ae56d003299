//! Loading games.

use crate::errors;
use crate::game::PyGame;
use gdl_engines::{EngineKind, EngineOptions, LoadError, LoadedEngine, load_timed};
use gdlc::diag;
use gdlc::source::Source;
use pyo3::prelude::*;
use std::sync::Arc;

/// The names of the built-in games.
#[pyfunction]
pub(crate) fn builtin_games() -> Vec<String> {
    gdl_games::names().map(str::to_owned).collect()
}

/// Loads a game into the engine net: the built-in one called `name` if `rules` is `None`,
/// else that of the rule text.
#[pyfunction]
#[pyo3(signature = (name, rules=None))]
pub(crate) fn load(py: Python<'_>, name: &str, rules: Option<&str>) -> PyResult<PyGame> {
    let Some(text) = rules.or_else(|| gdl_games::rules(name)) else {
        let message = format!("there is no built-in game {name}");
        return Err(errors::error(py, message));
    };
    let source = Source::new(name, text);
    let loaded = py
        .detach(|| compile(&source))
        .map_err(|failure| match failure {
            Failure::Rules(diagnostics) => {
                let text = diag::render(&diagnostics, false);
                errors::invalid_rules(py, text.trim_end(), &diagnostics)
            }
            Failure::Engine(error) => errors::error(py, error),
        })?;
    PyGame::new(py, name, source, loaded.engine)
}

/// Why a rule sheet is not a game.
enum Failure {
    Rules(Vec<diag::Diagnostic>),
    Engine(LoadError),
}

fn compile(source: &Arc<Source>) -> Result<LoadedEngine, Failure> {
    load_timed(source, EngineKind::Net, &EngineOptions::default()).map_err(|error| match error {
        LoadError::Invalid(_) => Failure::Rules(gdlc::rules::check(Arc::clone(source)).diagnostics),
        error => Failure::Engine(error),
    })
}
