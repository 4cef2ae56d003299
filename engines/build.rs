//! Gives the program a fingerprint of all that turns rules into a library: what a
//! cache of compiled games must not outlive.

use sha2::{Digest as _, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// Files and folders, below the folder of this one; the lock file names the
/// versions of everything that is used besides.
const COMPILER: [&str; 3] = ["../Cargo.lock", "../gdlc/src", "src"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for path in COMPILER {
        println!("cargo:rerun-if-changed={path}");
        list(Path::new(path), &mut files)?;
    }
    let mut digest = Sha256::new();
    for file in &files {
        let text = std::fs::read(file)?;
        digest.update(format!("{} {}\n", file.display(), text.len()));
        digest.update(text);
    }
    let words = digest.finalize();
    let fingerprint: String = words.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rustc-env=GDL_FINGERPRINT={fingerprint}");
    Ok(())
}

/// All files below a path, in order.
fn list(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| list(entry, files))
}
