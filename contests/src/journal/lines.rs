//! Files of JSON lines that only grow: every line is written as soon as it is known,
//! so that an interrupted run continues where it stopped.

use super::JournalError;
use serde::Serialize;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// A file of JSON lines, open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens or creates a file, and returns the lines that it has. An incomplete last
    /// line is removed.
    ///
    /// # Errors
    /// If the file cannot be read and written.
    pub fn open(path: &Path) -> Result<(Self, Vec<String>), JournalError> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .map_err(JournalError::file("open", path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(JournalError::file("read", path))?;
        let complete = complete_lines(&bytes);
        if complete.len() < bytes.len() {
            tracing::info!("{}: the last line is incomplete", path.display());
            file.set_len(complete.len() as u64)
                .map_err(JournalError::file("write", path))?;
        }
        let path = path.to_owned();
        Ok((Self { path, file }, lines(complete)))
    }

    /// Locks the file against other processes that call this, for as long as it is
    /// open; false if it is locked already.
    #[must_use]
    pub fn lock(&self) -> bool {
        !matches!(self.file.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Appends a value as a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value).map_err(io::Error::from);
        // The line and its end in one call, so that lines stay complete.
        let written = line.and_then(|line| self.file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(JournalError::file("write", &self.path))
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
        ] {
            std::fs::write(&path, left).expect("it can be written");
            let (mut journal, known) = Journal::open(&path).expect("it can be opened");
            assert_eq!(known, lines[..lines.len() - 1], "{left:?}");
            journal.append(&[3]).expect("it can be written");
            assert_eq!(read(&path).expect("it can be read"), lines, "{left:?}");
        }
    }

    #[test]
    fn only_one_process_may_lock_a_file() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("lines.jsonl");
        let (first, _) = Journal::open(&path).expect("it can be opened");
        let (second, _) = Journal::open(&path).expect("it can be opened");
        assert!(first.lock() && !second.lock());
        drop(first);
        assert!(second.lock());
    }
}
