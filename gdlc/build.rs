//! Gives the compiler a fingerprint of its own sources, so that caches of compiled games
//! notice when the compiler changes.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// What the compiler's output depends on; the manifest names the versions of its
/// dependencies.
const SOURCES: [&str; 2] = ["Cargo.toml", "src"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for path in SOURCES {
        println!("cargo:rerun-if-changed={path}");
        list_files(Path::new(path), &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    std::env::var_os("CARGO_PKG_VERSION").hash(&mut hasher);
    for file in &files {
        file.hash(&mut hasher);
        std::fs::read(file)?.hash(&mut hasher);
    }
    println!("cargo:rustc-env=GDLC_FINGERPRINT={:016x}", hasher.finish());
    Ok(())
}

/// Appends all files below a path, in order of their names.
fn list_files(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = path.read_dir()?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    entries
        .iter()
        .try_for_each(|entry| list_files(entry, files))
}
