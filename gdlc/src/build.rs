//! For build scripts: rule sheets to Rust modules, in two lines.
//!
//! In the `main` of a build script:
//!
//! ```no_run
//! gdlc::build::compile_games("games");
//! ```
//!
//! and, in a crate that depends on `gdl-runtime`:
//!
//! ```ignore
//! include!(concat!(env!("OUT_DIR"), "/games.rs"));
//! ```
//!
//! This declares a module for every rule sheet, named after its file, with a
//! static `GAME`, and a list `GAMES` of all of them.

#![allow(clippy::needless_doctest_main)] // A build script has one.

use crate::compile::{CompileError, compile_source};
use crate::source::Source;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file that declares all modules and lists all games.
const INDEX: &str = "games";

/// Why a folder of rule sheets was not compiled.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// `OUT_DIR` is not set.
    #[error("OUT_DIR is not set: this is for build scripts")]
    NoOutDir,
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A rule sheet's name cannot be the name of a module.
    #[error("{}: a module is named after its file, so the name has to be a Rust identifier", .0.display())]
    NotAnIdentifier(PathBuf),
    /// A rule sheet's module would be written over the list of all games.
    #[error("{}: the list of all games is written to `{INDEX}.rs`, so no game can have this name", .0.display())]
    NameOfIndex(PathBuf),
    /// A rule sheet cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

/// Compiles every `.kif` file of a folder into the build script's `OUT_DIR`, and
/// tells cargo which files to watch. Files that have not changed are not compiled
/// again.
///
/// If a rule sheet has errors, prints the diagnostics and ends the process with
/// code 1.
pub fn compile_games(folder: impl AsRef<Path>) {
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let result = out
        .ok_or(BuildError::NoOutDir)
        .and_then(|out| compile_folder(folder.as_ref(), &out));
    match result {
        Ok(watched) => {
            for path in watched {
                println!("cargo:rerun-if-changed={}", path.display());
            }
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

/// Compiles every `.kif` file of a folder into modules below `out`; returns the
/// paths that the result depends on.
///
/// # Errors
/// If a file cannot be read or written, a file's name is not a Rust identifier, or
/// a rule sheet cannot be compiled.
pub fn compile_folder(folder: &Path, out: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let mut sheets = list_folder(folder).map_err(|error| read_error(folder, error))?;
    sheets.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    sheets.sort();
    let mut modules = String::new();
    let mut list = String::new();
    for sheet in &sheets {
        let module = module_name(sheet)?;
        let file = compile_sheet(sheet, &module, out)?;
        let _ = writeln!(
            modules,
            "/// The game `{module}`.\npub mod {module} {{\n    include!({:?});\n}}",
            file.display().to_string()
        );
        let _ = write!(list, "&{module}::GAME, ");
    }
    let _ = writeln!(
        modules,
        "/// All games compiled from the folder, by name.\n\
         pub static GAMES: &[&::gdl_runtime::compiled::Compiled] = &[{list}];"
    );
    write_if_changed(&out.join(INDEX).with_extension("rs"), &modules)?;
    sheets.push(folder.to_owned());
    Ok(sheets)
}

/// The name of the module: the file's name without its extension.
fn module_name(sheet: &Path) -> Result<String, BuildError> {
    let stem = sheet.file_stem().and_then(|stem| stem.to_str());
    if stem == Some(INDEX) {
        return Err(BuildError::NameOfIndex(sheet.to_owned()));
    }
    let name = stem.filter(|stem| syn::parse_str::<syn::Ident>(stem).is_ok());
    let name = name.map(str::to_owned);
    name.ok_or_else(|| BuildError::NotAnIdentifier(sheet.to_owned()))
}

/// Compiles one rule sheet unless the same text was compiled before: a last line of the code
/// says from what it is, and is missing if the code was not written to its end.
fn compile_sheet(sheet: &Path, name: &str, out: &Path) -> Result<PathBuf, BuildError> {
    // Comments may be in any encoding, as for the engines.
    let bytes = std::fs::read(sheet).map_err(|error| read_error(sheet, error))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let code = out.join(format!("{name}.rs"));
    let mut hasher = DefaultHasher::new();
    (name, &text, crate::FINGERPRINT).hash(&mut hasher);
    let key = format!("\n// Compiled from {:016x}.\n", hasher.finish());
    if std::fs::read_to_string(&code).is_ok_and(|known| known.ends_with(&key)) {
        return Ok(code);
    }
    let source = Source::new(sheet.display().to_string(), text);
    write(&code, &(compile_source(&source, name)? + &key))?;
    Ok(code)
}

fn list_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = folder.read_dir()?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

fn write_if_changed(path: &Path, text: &str) -> Result<(), BuildError> {
    if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    write(path, text)
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    std::fs::write(path, text).map_err(|error| BuildError::Write {
        path: path.to_owned(),
        error,
    })
}

fn read_error(path: &Path, error: io::Error) -> BuildError {
    BuildError::Read {
        path: path.to_owned(),
        error,
    }
}
