//! For build scripts: rule sheets to Rust modules, in two lines.
//!
//! In the `main` of a build script:
//!
//! ```no_run
//! gdlc::build::compile_games("games");
//! ```
//!
//! and, in a crate that depends on `runtime`:
//!
//! ```ignore
//! include!(concat!(env!("OUT_DIR"), "/games.rs"));
//! ```
//!
//! which declares a module for every rule sheet, named as its file, with a
//! static `GAME`, and the list `GAMES` of all of them.

#![allow(clippy::needless_doctest_main)] // A build script has one.

use crate::compile::{CompileOptions, compile};
use crate::diag::{self, Diagnostic};
use crate::emit::{MOST_OPERATIONS, ModuleHeader, emit};
use crate::rules::{self, Program};
use crate::source::Source;
use anyhow::{Context as _, bail};
use gdl_runtime::lanes::Width;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Compiles every `.kif` file of a folder into the build script's `OUT_DIR`, and
/// tells cargo what to watch. Files that have not changed are not compiled anew.
///
/// Ends the build with the diagnostics underlined if a rule sheet has errors.
pub fn compile_games(folder: impl AsRef<Path>) {
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let result = out
        .context("OUT_DIR is not set: this is for build scripts")
        .and_then(|out| compile_folder(folder.as_ref(), &out));
    match result {
        Ok(watched) => {
            for path in watched {
                println!("cargo:rerun-if-changed={}", path.display());
            }
        }
        Err(error) => {
            eprintln!("{error:#}");
            std::process::exit(1);
        }
    }
}

/// Compiles every `.kif` file of a folder into modules below `out`; returns what
/// the result depends on.
///
/// # Errors
/// If a file cannot be read or written, or a rule sheet cannot be compiled: all
/// of its diagnostics, underlined.
pub fn compile_folder(folder: &Path, out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut sheets: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
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
    write_if_changed(&out.join("games.rs"), &modules)?;
    sheets.push(folder.to_owned());
    Ok(sheets)
}

/// The file's name, which has to be usable as a module's.
fn module_name(sheet: &Path) -> anyhow::Result<String> {
    let stem = sheet.file_stem().and_then(|stem| stem.to_str());
    let name = stem.filter(|stem| syn::parse_str::<syn::Ident>(stem).is_ok());
    name.map(str::to_owned).with_context(|| {
        format!(
            "{}: a module is named as its file, so that has to be a Rust identifier",
            sheet.display()
        )
    })
}

/// Compiles one rule sheet unless the same text was compiled before.
fn compile_sheet(sheet: &Path, name: &str, out: &Path) -> anyhow::Result<PathBuf> {
    let text = std::fs::read_to_string(sheet)
        .with_context(|| format!("cannot read {}", sheet.display()))?;
    let code = out.join(format!("{name}.rs"));
    let key_file = out.join(format!("{name}.key"));
    let mut hasher = DefaultHasher::new();
    (name, &text, crate::FINGERPRINT).hash(&mut hasher);
    let key = format!("{:016x}", hasher.finish());
    if code.exists() && std::fs::read_to_string(&key_file).is_ok_and(|known| known == key) {
        return Ok(code);
    }
    let emitted = compile_text(Source::new(sheet.display().to_string(), text), name)?;
    std::fs::write(&code, emitted).with_context(|| format!("cannot write {}", code.display()))?;
    std::fs::write(&key_file, key)
        .with_context(|| format!("cannot write {}", key_file.display()))?;
    Ok(code)
}

fn compile_text(source: Arc<Source>, name: &str) -> anyhow::Result<String> {
    let checked = rules::check(source);
    let Some(program) = checked.program else {
        bail!("{}", diag::render(&checked.diagnostics, false));
    };
    let compilation = compile(&program, &CompileOptions::default()).map_err(|error| {
        let diagnostic = Diagnostic::from(error);
        anyhow::anyhow!("{}", diag::render(&[diagnostic], false))
    })?;
    let size = compilation.plan.size();
    if size > MOST_OPERATIONS {
        bail!("{name} takes {size} operations a step; {MOST_OPERATIONS} can be compiled");
    }
    let rules = rules_of(&program);
    let header = ModuleHeader {
        name,
        rules: &rules,
        widths: &Width::ALL,
    };
    emit(&compilation.plan, &header)
}

/// A program's rules, a line each.
#[must_use]
pub fn rules_of(program: &Program) -> Vec<String> {
    let rules = program.rules.iter();
    rules.map(|rule| program.show_rule(rule)).collect()
}

fn write_if_changed(path: &Path, text: &str) -> anyhow::Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
