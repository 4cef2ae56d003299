//! Engines of the games that are built in.

use std::path::Path;

use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;

/// The engine net of a game, by its name.
pub fn engine(game: &str) -> Box<dyn Engine> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../games/{game}.kif"));
    let options = EngineOptions::default();
    gdl_engines::open(&path, EngineKind::Net, &options)
        .unwrap()
        .engine
}
