//! Native code while the program runs: emitted Rust, compiled by rustc to a
//! library and loaded.
//!
//! [`build`](build_library) is given emitted code and returns a library, from
//! the cache if the same code was compiled before; [`Library`] loads one.

mod cache;
#[cfg(all(target_arch = "x86_64", unix))]
mod executable;
mod library;
mod rustc;

#[cfg(all(target_arch = "x86_64", unix))]
pub use executable::load_code;
pub use library::Library;
pub use rustc::Rustc;

use anyhow::Context as _;
use std::path::PathBuf;

/// The library of a game's emitted code, compiled unless it is in the cache.
///
/// # Errors
/// If there is no compiler, it fails, or it exceeds its limits.
pub fn build_library(code: &str) -> anyhow::Result<PathBuf> {
    let rustc = Rustc::find()?;
    let runtime = cache::entry(&["runtime", rustc.version(), &runtime_text()], "rlib")?;
    runtime.fill(|folder, out| {
        for (path, text) in runtime::sources::SOURCES {
            write(&folder.join(path), text)?;
        }
        rustc.compile_runtime(&folder.join("lib.rs"), out)
    })?;
    let game = cache::entry(&["game", rustc.version(), &runtime_text(), code], "so")?;
    game.fill(|folder, out| {
        let root = folder.join("game.rs");
        write(&root, &library_root(code))?;
        rustc.compile_game(&root, runtime.path(), out)
    })?;
    Ok(game.path().to_owned())
}

fn write(path: &std::path::Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn runtime_text() -> String {
    let texts = runtime::sources::SOURCES.iter();
    texts.map(|(_, text)| *text).collect()
}

/// A crate around the emitted items, with the function that a loader calls.
fn library_root(code: &str) -> String {
    format!(
        "mod game {{\n{code}\n}}\n\n\
         #[unsafe(no_mangle)]\n\
         pub extern \"C\" fn gdl_game() -> *const ::runtime::compiled::Compiled {{\n    \
         &raw const game::GAME\n}}\n"
    )
}
