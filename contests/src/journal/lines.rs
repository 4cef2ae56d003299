//! Files of JSON lines that only grow: every line is written as soon as it is known,
//! so that an interrupted run continues where it stopped.

use super::JournalError;
use serde::Serialize;
use serde::de::IgnoredAny;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// A file of JSON lines, open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The length of the complete lines, if an incomplete one follows, which the next line
    /// replaces.
    cut: Option<u64>,
}

impl Journal {
    /// Opens or creates a file, and returns the lines that it has. An incomplete last
    /// line is removed once a line is appended.
    ///
    /// # Errors
    /// If the file cannot be read and written, or it has an incomplete line and other lines
    /// than of JSON: it is something else then, and must not be cut.
    pub fn open(path: &Path) -> Result<(Self, Vec<String>), JournalError> {
        Self::create(path)?.read_lines()
    }

    /// Opens or creates a file as [`open`](Self::open) does, and locks it against other
    /// processes that call this, for as long as it is open.
    ///
    /// # Errors
    /// As [`open`](Self::open), or if it is locked already.
    pub fn open_locked(path: &Path) -> Result<(Self, Vec<String>), JournalError> {
        let journal = Self::create(path)?;
        // Before the file is read, since another process may be in the middle of a line.
        if matches!(journal.file.try_lock(), Err(TryLockError::WouldBlock)) {
            let path = path.to_owned();
            return Err(JournalError::Locked { path });
        }
        journal.read_lines()
    }

    fn create(path: &Path) -> Result<Self, JournalError> {
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).append(true);
        let file = options.open(path);
        Ok(Self {
            path: path.to_owned(),
            file: file.map_err(JournalError::file("open", path))?,
            cut: None,
        })
    }

    fn read_lines(mut self) -> Result<(Self, Vec<String>), JournalError> {
        let mut bytes = Vec::new();
        let read = self.file.read_to_end(&mut bytes);
        read.map_err(JournalError::file("read", &self.path))?;
        let complete = complete_lines(&bytes);
        if complete.len() < bytes.len() {
            check_first_line(&bytes).map_err(|source| JournalError::ForeignFile {
                path: self.path.clone(),
                source,
            })?;
            tracing::info!("{}: the last line is incomplete", self.path.display());
            self.cut = Some(complete.len() as u64);
        }
        let lines = lines(complete);
        Ok((self, lines))
    }

    /// Appends a value as a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let written = self.write_line(value);
        written.map_err(JournalError::file("write", &self.path))
    }

    fn write_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(value)?;
        if let Some(length) = self.cut.take() {
            self.file.set_len(length)?;
        }
        // The line and its end in one call, so that lines stay complete.
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

/// The lines of a file, without an incomplete last one.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> Result<Vec<String>, JournalError> {
    let bytes = std::fs::read(path).map_err(JournalError::file("read", path))?;
    Ok(lines(complete_lines(&bytes)))
}

fn complete_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    &bytes[..end.map_or(0, |end| end + 1)]
}

/// Checks that the first line is JSON, or the beginning of it.
fn check_first_line(bytes: &[u8]) -> serde_json::Result<()> {
    let line = bytes.split(|&byte| byte == b'\n').next();
    match serde_json::from_slice::<IgnoredAny>(line.unwrap_or_default()) {
        Err(error) if !error.is_eof() => Err(error),
        _ => Ok(()),
    }
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_line_is_replaced() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("lines.jsonl");
        for (left, lines) in [
            ("", &["[3]"][..]),
            ("[1]", &["[3]"]),
            ("[1]\n", &["[1]", "[3]"]),
            ("[1]\n[2,", &["[1]", "[3]"]),
            ("[1]\n\u{fc}", &["[1]", "[3]"]),
            ("{\"name\":\"\u{fc}", &["[3]"]),
        ] {
            std::fs::write(&path, left).expect("it can be written");
            let (mut journal, known) = Journal::open(&path).expect("it can be opened");
            assert_eq!(known, lines[..lines.len() - 1], "{left:?}");
            journal.append(&[3]).expect("it can be written");
            assert_eq!(read(&path).expect("it can be read"), lines, "{left:?}");
        }
    }

    #[test]
    fn other_files_are_not_cut() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("notes.txt");
        for text in ["notes", "1. one\n2. two", "12 notes\n[1]"] {
            std::fs::write(&path, text).expect("it can be written");
            let refused = Journal::open(&path).map(drop);
            assert!(
                matches!(refused, Err(JournalError::ForeignFile { .. })),
                "{text:?}"
            );
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(text));
        }
    }

    #[test]
    fn only_one_process_may_lock_a_file() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("lines.jsonl");
        let (mut first, _) = Journal::open_locked(&path).expect("it can be opened");
        first.append(&[1]).expect("it can be written");
        // As if the first process were in the middle of a line.
        let mut file = OpenOptions::new()
            .append(true)
            .open(&path)
            .expect("it is there");
        file.write_all(b"[2").expect("it can be written");
        let second = Journal::open_locked(&path).map(drop);
        assert!(matches!(second, Err(JournalError::Locked { .. })));
        file.write_all(b"]\n").expect("it can be written");
        drop(first);
        let (_, lines) = Journal::open_locked(&path).expect("it is free now");
        assert_eq!(lines, ["[1]", "[2]"]);
    }
}
