//! Compiles the rule sheets of this folder, and lists their texts.

use std::fmt::Write as _;
use std::path::PathBuf;

fn main() {
    if std::env::var_os("CARGO_FEATURE_COMPILED").is_some() {
        gdlc::build::compile_games(".");
    }
    if let Err(error) = list_rules() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// Writes an expression with the name and the text of every rule sheet, in order.
fn list_rules() -> std::io::Result<()> {
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
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("rules.rs"), format!("&[{list}]"))
}
