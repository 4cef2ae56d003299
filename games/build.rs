//! Compiles the rule sheets of this folder, and puts their texts into the crate.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    gdlc::build::compile_games(".");
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let out = env::var_os("OUT_DIR").map(PathBuf::from);
    let (Some(folder), Some(out)) = (folder, out) else {
        panic!("build scripts are run by cargo");
    };
    fs::write(out.join("rules.rs"), rules(&folder)).expect("cargo's folder can be written");
}

/// An array of the names and texts of the rule sheets, as Rust.
fn rules(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("the crate's folder can be read");
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "kif"));
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = file.to_string_lossy();
        let _ = writeln!(text, "    ({name:?}, include_str!({path:?})),");
    }
    text + "]\n"
}
