//! Files of results: a line of JSON each, written as soon as it is known, so that
//! an interrupted run goes on where it stopped.

use super::report::{Report, Subject};
use anyhow::Context as _;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

/// A file of results, open for appending.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    /// What it held when it was opened.
    known: Vec<Report>,
}

impl Log {
    /// Opens or creates a file. Lines that are no results, such as a last one that
    /// was cut short, are ignored.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", path.display()))?;
        if bytes.last().is_some_and(|&last| last != b'\n') {
            file.write_all(b"\n")?;
        }
        let lines = String::from_utf8_lossy(&bytes);
        let known = lines
            .lines()
            .filter_map(|line| match serde_json::from_str(line) {
                Ok(report) => Some(report),
                Err(error) => {
                    tracing::warn!("{}: ignored a line: {error}", path.display());
                    None
                }
            })
            .collect();
        Ok(Self { file, known })
    }

    /// The last result of that game, engine and settings.
    pub(super) fn find(&self, subject: &Subject) -> Option<&Report> {
        self.known.iter().rfind(|report| report.subject == *subject)
    }

    /// Appends a result.
    pub(super) fn append(&mut self, report: &Report) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(report)?;
        line.push('\n');
        // In one call, so that lines stay whole.
        self.file
            .write_all(line.as_bytes())
            .context("cannot write the results")
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{failure, report};
    use super::*;

    #[test]
    fn a_run_goes_on_after_a_line_that_was_cut_short() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("results.jsonl");
        let first = report("tictactoe", "net", 1000.0);
        let second = failure("hex", "net", "too large");
        Log::open(&path)
            .and_then(|mut log| log.append(&first))
            .expect("it can be written");
        let mut text = std::fs::read_to_string(&path).expect("it was written");
        text.push_str("{\"game\":\"hex\",\"eng");
        std::fs::write(&path, text).expect("it can be written");

        let mut log = Log::open(&path).expect("it can be read");
        assert_eq!(log.find(&first.subject), Some(&first));
        assert_eq!(log.find(&second.subject), None);
        log.append(&second).expect("it can be written");
        let log = Log::open(&path).expect("it can be read");
        assert_eq!(log.known, [first.clone(), second]);

        let mut longer = first.subject.clone();
        longer.settings.effort.seconds += 1.0;
        assert_eq!(log.find(&longer), None);
    }
}
