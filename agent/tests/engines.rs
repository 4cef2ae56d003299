//! Engines of the games that are built in, and of those in `games` beside this file, and random moves.

use std::path::Path;

use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The engine net of a game, by its name.
pub fn engine(game: &str) -> Box<dyn Engine> {
    open(&format!("../games/{game}.kif"), EngineKind::Net)
}

/// The engine net of a small game for tests, by its name.
pub fn small_engine(game: &str) -> Box<dyn Engine> {
    small_engine_of_kind(game, EngineKind::Net)
}

/// An engine of a small game for tests, by its name.
pub fn small_engine_of_kind(game: &str, kind: EngineKind) -> Box<dyn Engine> {
    open(&format!("tests/games/{game}.kif"), kind)
}

/// A random legal move of each role.
pub fn random_joint(position: &Position, random: &mut Xoshiro256PlusPlus) -> Vec<Move> {
    let moves = position.legal.iter();
    moves
        .map(|moves| moves[random.random_range(0..moves.len())])
        .collect()
}

fn open(path: &str, kind: EngineKind) -> Box<dyn Engine> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let options = EngineOptions::default();
    gdl_engines::open(&path, kind, &options).unwrap().engine
}
