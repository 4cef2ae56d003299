//! Lists the crate's source files for `src/sources.rs`.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-check-cfg=cfg(lists_sources)");
    println!("cargo::rustc-cfg=lists_sources");
    let root = folder("CARGO_MANIFEST_DIR")?.join("src");
    let mut files = Vec::new();
    list(&root, &mut files)?;
    let mut code = "/// Every file of the crate: its path below `src`, with `/`, and its text.\n\
         pub const SOURCES: &[(&str, &str)] = &[\n"
        .to_owned();
    for file in files {
        let below = file.strip_prefix(&root).map_err(io::Error::other)?;
        let name = below.to_string_lossy().replace('\\', "/");
        writeln!(code, "    ({name:?}, include_str!({file:?})),").map_err(io::Error::other)?;
    }
    code.push_str("];\n");
    fs::write(folder("OUT_DIR")?.join("sources.rs"), code)
}

/// A folder that cargo names in an environment variable.
fn folder(variable: &str) -> io::Result<PathBuf> {
    let folder = std::env::var_os(variable).ok_or_else(|| io::Error::other(variable.to_owned()))?;
    Ok(folder.into())
}

/// All files below a folder, sorted.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
