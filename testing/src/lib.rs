//! What the tests of every crate share: seeds of random tests, and the folder of
//! the public corpus.
//!
//! A development dependency only, and itself without dependencies, so that every
//! crate of the workspace can use it.

pub mod chi_square;
pub mod process;

use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};

/// The seed of a random test: the value of the environment variable `SEED`, or a
/// fresh one. Either is printed, so that a test that fails tells how to repeat it.
///
/// # Panics
///
/// If `SEED` is set to something other than an unsigned 64-bit number.
#[must_use]
pub fn seed() -> u64 {
    seed_or_else(|| RandomState::new().hash_one(0))
}

/// Like [`seed`] for tests whose tolerance is statistical: without `SEED` they use
/// this fixed seed, since any threshold fails by chance for some seeds.
///
/// # Panics
///
/// If `SEED` is set to something other than an unsigned 64-bit number.
#[must_use]
pub fn seed_or(default: u64) -> u64 {
    seed_or_else(|| default)
}

fn seed_or_else(default: impl FnOnce() -> u64) -> u64 {
    let seed = match std::env::var("SEED") {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|error| panic!("SEED={text} is not a seed: {error}")),
        Err(_) => default(),
    };
    println!("repeat this test with SEED={seed}");
    seed
}

/// The folder of the public corpus: the value of the environment variable
/// `GDL_CORPUS`, or `../shared/corpus` beside the project.
///
/// Tests that call this are marked `#[ignore = "needs the public corpus"]` and have
/// `corpus` in their path, so that `cargo test -- --ignored corpus` runs them all.
///
/// # Panics
///
/// If there is no such folder.
#[must_use]
pub fn corpus() -> PathBuf {
    let folder = match std::env::var_os("GDL_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"),
    };
    assert!(
        folder.is_dir(),
        "there is no public corpus at {}: set GDL_CORPUS to its folder",
        folder.display()
    );
    folder
}

/// The rule sheets of the public corpus, in the order of their paths.
///
/// # Panics
///
/// If there is no corpus (see [`corpus`]), or none of its games can be listed.
#[must_use]
pub fn corpus_games() -> Vec<PathBuf> {
    let folder = corpus().join("games");
    let listed = |entries: std::fs::ReadDir| -> std::io::Result<Vec<_>> {
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let mut games = std::fs::read_dir(&folder)
        .and_then(listed)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    assert!(!games.is_empty(), "{} is empty", folder.display());
    games.sort();
    games
}
