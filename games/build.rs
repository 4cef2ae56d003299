//! Compiles the rule sheets of this folder, and lists their texts.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

/// If this variable is set, no game is compiled: linters and rustdoc would read more than a
/// hundred thousand lines of emitted code and say nothing about them.
const WITHOUT_GAMES: &str = "GDL_WITHOUT_GAMES";

fn main() {
    println!("cargo:rerun-if-env-changed={WITHOUT_GAMES}");
    if let Err(error) = compile_games().and_then(|()| list_rules()) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// Writes the module of the compiled games, if it is asked for.
fn compile_games() -> io::Result<()> {
    let is_set = |variable: &str| std::env::var_os(variable).is_some();
    if is_set(WITHOUT_GAMES) {
        let none = "pub static GAMES: &[&::gdl_runtime::compiled::Compiled] = &[];";
        return write_to_out("games.rs", none);
    }
    if is_set("CARGO_FEATURE_COMPILED") {
        gdlc::build::compile_games(".");
    }
    Ok(())
}

/// Writes an expression with the name and the text of every rule sheet, in order.
fn list_rules() -> io::Result<()> {
    // Or a new sheet would not be listed until something else changes.
    println!("cargo:rerun-if-changed=.");
    let mut sheets = Vec::new();
    for entry in std::fs::read_dir(".")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            sheets.extend(
                path.file_stem()
                    .map(|stem| stem.to_string_lossy().into_owned()),
            );
        }
    }
    sheets.sort();
    let mut list = String::new();
    for name in sheets {
        let file = format!("/{name}.kif");
        let _ = write!(
            list,
            "({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?}))), "
        );
    }
    write_to_out("rules.rs", &format!("&[{list}]"))
}

fn write_to_out(name: &str, text: &str) -> io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join(name), text)
}
