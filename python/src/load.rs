//! Loading games.

use crate::errors;
use crate::game::PyGame;
use gdl_engines::{EngineKind, EngineOptions, LoadError, LoadedEngine, load_timed};
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::Width;
use gdlc::diag;
use gdlc::source::Source;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The names of the built-in games.
#[pyfunction]
pub(crate) fn builtin_games() -> Vec<String> {
    gdl_games::names().map(str::to_owned).collect()
}

/// Loads a game: the built-in one called `name` if `rules` is `None`, else that of the rule
/// text. `engine` is `builtin` (native code, if it is linked in), `net`, or `None` for the
/// best there is.
#[pyfunction]
#[pyo3(signature = (name, rules=None, engine=None))]
pub(crate) fn load(
    py: Python<'_>,
    name: &str,
    rules: Option<&str>,
    engine: Option<&str>,
) -> PyResult<PyGame> {
    if !matches!(engine, None | Some("net" | "builtin")) {
        return Err(PyValueError::new_err(
            "engine must be 'net', 'builtin' or None",
        ));
    }
    let own_rules = gdl_games::rules(name).filter(|_| rules.is_none());
    let compiled = own_rules.filter(|_| engine != Some("net"));
    if let Some((engine, text)) =
        compiled.and_then(|text| Some((gdl_engines::load_builtin(name, Width::widest())?, text)))
    {
        let engine: Box<dyn Engine> = Box::new(engine);
        return PyGame::new(py, name, Source::new(name, text), engine);
    }
    if engine == Some("builtin") {
        let message = format!("there is no native code of {name} in this package");
        return Err(errors::error(py, message));
    }
    let Some(text) = rules.or(own_rules) else {
        return Err(errors::error(
            py,
            format!("there is no built-in game {name}"),
        ));
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
