//! The workspace's source files, parsed, without their tests.

use std::path::{Path, PathBuf};
use syn::{Attribute, Item};

/// The source folders of the workspace's crates, below its root.
const CRATES: [&str; 15] = [
    "runtime/src",
    "gdlc/src",
    "agent/src",
    "games/src",
    "engines/src",
    "network/src",
    "view/src",
    "contests/src",
    "boards/src",
    "environments/src",
    "language-server/src",
    "python/src",
    "testing/src",
    "experiments/positions/src",
    "src",
];

/// The files of one crate.
pub struct Crate {
    /// Its source folder, relative to the workspace's root.
    pub folder: &'static str,
    pub files: Vec<SourceFile>,
}

/// One file of a crate.
pub struct SourceFile {
    /// The path below the crate's source folder.
    pub path: PathBuf,
    /// The module that the file is: empty for the crate's root.
    pub module: Vec<String>,
    /// Its items, except those that are compiled only for tests.
    pub items: Vec<Item>,
}

/// Reads all crates of the workspace.
pub fn crates() -> Vec<Crate> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |folder: &'static str| {
        let mut files = Vec::new();
        collect(&root.join(folder), Path::new(""), &mut files);
        assert!(!files.is_empty(), "{folder} holds sources");
        Crate { folder, files }
    };
    CRATES.into_iter().map(read).collect()
}

/// Reads the Rust files of a folder and of those below it, in the order of their names.
fn collect(source: &Path, below: &Path, files: &mut Vec<SourceFile>) {
    let entries = std::fs::read_dir(source.join(below)).expect("the folder can be listed");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("the entry can be read").file_name())
        .collect();
    names.sort();
    for name in names {
        let path = below.join(name);
        if source.join(&path).is_dir() {
            collect(source, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            files.push(read(source, path));
        }
    }
}

fn read(source: &Path, path: PathBuf) -> SourceFile {
    let text = std::fs::read_to_string(source.join(&path)).expect("the file can be read");
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    SourceFile {
        module: module(&path),
        items: without_tests(file.items),
        path,
    }
}

/// The module of a file, by the convention that it is named after its path.
fn module(path: &Path) -> Vec<String> {
    let mut module: Vec<String> = path
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

fn without_tests(items: Vec<Item>) -> Vec<Item> {
    let is_kept = |item: &Item| !attributes(item).iter().any(is_test_only);
    items.into_iter().filter(is_kept).collect()
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether this is `#[cfg(test)]`.
fn is_test_only(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute
            .parse_args::<syn::Ident>()
            .is_ok_and(|condition| condition == "test")
}
