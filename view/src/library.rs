//! What pages can open: the built-in games, and the files that the user named.
//!
//! Pages know entries by their names only. A name is looked up in a list that was made when
//! the server started; it never becomes part of a path.

use std::io;
use std::path::{Path, PathBuf};

use gdl_engines::builtin;

use crate::messages::LibraryEntry;
use crate::records::RECORD_EXTENSIONS;

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
            let files = std::fs::read_dir(path)?.map(|file| file.map(|file| file.path()));
            let mut files: Vec<PathBuf> = files.collect::<io::Result<_>>()?;
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
        std::fs::metadata(path)?;
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
    /// without `.kif`.
    pub(crate) fn game_of_record(&self, game: &str) -> Option<&LibraryItem> {
        let is_game = |name: &str| name == game || name.strip_suffix(".kif") == Some(game);
        let mut games = self
            .entries
            .iter()
            .filter(|(_, entry)| !matches!(entry, LibraryItem::Record(_)));
        games
            .find(|(name, _)| is_game(name))
            .map(|(_, entry)| entry)
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// What a file is by its extension; `None` if it is neither a rule sheet nor a record.
fn entry_of(path: &Path) -> Option<LibraryItem> {
    let name = file_name(path);
    if name.ends_with(".kif") || name.ends_with(".gdl") {
        return Some(LibraryItem::Rules(path.to_owned()));
    }
    let is_record = RECORD_EXTENSIONS
        .iter()
        .any(|extension| name.ends_with(extension));
    is_record.then(|| LibraryItem::Record(path.to_owned()))
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
        assert!(GameLibrary::new(&[PathBuf::from("no such file")]).is_err());
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
