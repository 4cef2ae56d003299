//! Files of JSON lines that only grow: a line is written as soon as it is known,
//! so that an interrupted run goes on where it stopped.

use anyhow::Context as _;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

/// A file of lines, open for appending.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens or creates a file and gives the lines that it has. A last line that
    /// was cut short is removed.
    ///
    /// # Errors
    /// If the file cannot be read and written.
    pub fn open(path: &Path) -> anyhow::Result<(Self, Vec<String>)> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let whole = whole_lines(&bytes);
        if whole.len() < bytes.len() {
            tracing::info!("{}: a line was cut short", path.display());
            file.set_len(whole.len() as u64)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok((Self { file }, lines(whole)))
    }

    /// Keeps other processes that ask for the same from writing to the file, for
    /// as long as it is open; false if one of them was first.
    #[must_use]
    pub fn claim(&self) -> bool {
        !matches!(self.file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        // In one call, so that lines stay whole.
        self.file
            .write_all(line.as_bytes())
            .context("cannot write the results")
    }
}

/// The lines of a file, without a last one that was cut short.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(lines(whole_lines(&bytes)))
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
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
    fn a_line_that_was_cut_short_is_replaced() {
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
    fn only_one_may_claim_a_file() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("lines.jsonl");
        let (first, _) = Journal::open(&path).expect("it can be opened");
        let (second, _) = Journal::open(&path).expect("it can be opened");
        assert!(first.claim() && !second.claim());
        drop(first);
        assert!(second.claim());
    }
}
