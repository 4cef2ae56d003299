//! What pages can open: the built-in games, and the files that the user named.
//!
//! Pages know entries by their names only. A name is looked up in a list that was made when
//! the server started; it never becomes part of a path.

use std::io;
use std::path::{Path, PathBuf};

use gdl_engines::builtin;

use crate::messages::LibraryEntry;
use crate::records::RECORD_EXTENSIONS;

/// The extensions of rule sheets.
const SHEET_EXTENSIONS: &[&str] = &[".kif", ".gdl"];

/// The games and records that a server offers.
#[derive(Debug, Clone, Default)]
pub struct GameLibrary {
    entries: Vec<(String, LibraryItem)>,
    /// Whether the first entry is the user's.
    has_files: bool,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LibraryItem {
    /// A game that is linked into the program.
    Builtin(String),
    /// A rule sheet.
    Rules(PathBuf),
    /// The record of a match.
    Record(PathBuf),
}

impl GameLibrary {
    /// Lists these files and, for folders, the rule sheets and records in them (by extension),
    /// followed by the built-in games.
    ///
    /// # Errors
    /// If a file does not exist and is not the name of a built-in game either, or a folder
    /// cannot be read.
    pub fn new(paths: &[PathBuf]) -> io::Result<Self> {
        let mut library = Self::default();
        for path in paths {
            library.add(path)?;
        }
        library.has_files = !library.entries.is_empty();
        for game in builtin() {
            library.push(&game.name(), LibraryItem::Builtin(game.name()));
        }
        Ok(library)
    }

    fn add(&mut self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            let mut files = files_in(path).map_err(|error| naming(path, &error))?;
            files.sort();
            files.retain(|file| file.is_file());
            for (file, entry) in files
                .iter()
                .filter_map(|file| Some((file, entry_of(file)?)))
            {
                self.push(&file_name(file), entry);
            }
            return Ok(());
        }
        let mut names = builtin().iter().map(|game| game.name());
        let named = names.find(|name| path == Path::new(name));
        if let (false, Some(name)) = (path.exists(), named) {
            self.push(&name.clone(), LibraryItem::Builtin(name));
            return Ok(());
        }
        std::fs::metadata(path).map_err(|error| naming(path, &error))?;
        let rules = || LibraryItem::Rules(path.to_owned());
        self.push(&file_name(path), entry_of(path).unwrap_or_else(rules));
        Ok(())
    }

    /// Adds an entry unless it is already there; a different one of the same name gets a number.
    fn push(&mut self, name: &str, entry: LibraryItem) {
        if self.entries.iter().any(|(_, other)| *other == entry) {
            return;
        }
        let taken = |name: &str| self.entries.iter().any(|(other, _)| other == name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let name = names.find(|name| !taken(name));
        self.entries.push((name.unwrap_or_default(), entry));
    }

    pub(crate) fn find(&self, name: &str) -> Option<&LibraryItem> {
        let found = self.entries.iter().find(|(own, _)| own == name);
        found.map(|(_, entry)| entry)
    }

    /// The entries for a page, in order.
    pub(crate) fn listed(&self) -> Vec<LibraryEntry> {
        let entries = self.entries.iter().map(|(name, entry)| LibraryEntry {
            name: name.clone(),
            kind: match entry {
                LibraryItem::Builtin(_) | LibraryItem::Rules(_) => "game",
                LibraryItem::Record(_) => "record",
            },
        });
        entries.collect()
    }

    /// The entry that a page opens first: the first that the user named.
    pub(crate) fn first(&self) -> Option<&str> {
        let first = self.entries.first().filter(|_| self.has_files);
        first.map(|(name, _)| &name[..])
    }

    /// The rule sheet or built-in game that a record names; a rule sheet also by its file name
    /// without extension.
    pub(crate) fn game_of_record(&self, game: &str) -> Option<&LibraryItem> {
        let is_stem = |name: &str| {
            let mut extensions = SHEET_EXTENSIONS.iter();
            extensions.any(|extension| name.strip_suffix(extension) == Some(game))
        };
        let is_game = |name: &str| name == game || is_stem(name);
        let mut games = self
            .entries
            .iter()
            .filter(|(_, entry)| !matches!(entry, LibraryItem::Record(_)));
        games
            .find(|(name, _)| is_game(name))
            .map(|(_, entry)| entry)
    }
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?;
    files.map(|file| Ok(file?.path())).collect()
}

/// An error that says which path it is about.
fn naming(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// What a file is by its extension; `None` if it is neither a rule sheet nor a record.
fn entry_of(path: &Path) -> Option<LibraryItem> {
    let name = file_name(path);
    let has_one_of = |extensions: &[&str]| {
        let mut extensions = extensions.iter();
        extensions.any(|extension| name.ends_with(extension))
    };
    if has_one_of(SHEET_EXTENSIONS) {
        return Some(LibraryItem::Rules(path.to_owned()));
    }
    has_one_of(RECORD_EXTENSIONS).then(|| LibraryItem::Record(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_up_and_never_become_paths() {
        let library = GameLibrary::new(&[]).expect("no files to read");
        assert!(library.find("tictactoe").is_some());
        for name in [
            "../Cargo.toml",
            "Cargo.toml",
            "",
            "tictactoe.kif",
            "/etc/passwd",
        ] {
            assert_eq!(library.find(name), None, "{name}");
        }
        let missing = GameLibrary::new(&[PathBuf::from("no such file")]);
        let error = missing.expect_err("there is none").to_string();
        assert!(error.starts_with("no such file: "), "{error}");
    }

    #[test]
    fn records_name_rule_sheets_without_extension() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let sheets = ["one.kif", "two.gdl"].map(|name| folder.path().join(name));
        for sheet in &sheets {
            std::fs::write(sheet, "").expect("it can be written");
        }
        let library = GameLibrary::new(&[folder.path().to_owned()]).expect("it can be read");
        for (game, sheet) in ["one", "two"].into_iter().zip(sheets) {
            let found = library.game_of_record(game);
            assert_eq!(found, Some(&LibraryItem::Rules(sheet)));
        }
    }

    #[test]
    fn what_the_user_names_comes_first_and_once() {
        let paths = ["hex", "hex"].map(PathBuf::from);
        let library = GameLibrary::new(&paths).expect("a built-in game");
        assert_eq!(library.first(), Some("hex"));
        let listed = library.listed();
        assert_eq!(listed.iter().filter(|entry| entry.name == "hex").count(), 1);
    }
}
