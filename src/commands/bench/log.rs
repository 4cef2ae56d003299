//! Files of results, one line of JSON each.

use super::report::{BenchReport, BenchSubject};
use gdl_contests::journal::Journal;
use std::path::Path;

/// A file of results, open for appending.
#[derive(Debug)]
pub(super) struct Log {
    journal: Journal,
    /// The results that it held when it was opened.
    known: Vec<BenchReport>,
}

impl Log {
    /// Opens or creates a file. Lines that are not results are ignored with a warning.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let (journal, lines) = Journal::open(path)?;
        let known = (lines.iter())
            .filter_map(|line| match serde_json::from_str(line) {
                Ok(report) => Some(report),
                Err(error) => {
                    tracing::warn!("{}: ignored a line: {error}", path.display());
                    None
                }
            })
            .collect();
        Ok(Self { journal, known })
    }

    /// Returns the last figures for this game, engine and settings. Failures are not found, since
    /// what caused them may have been mended.
    pub(super) fn find(&self, subject: &BenchSubject) -> Option<&BenchReport> {
        (self.known.iter()).rfind(|report| report.subject == *subject && report.figures().is_some())
    }

    /// Appends a result.
    pub(super) fn append(&mut self, report: &BenchReport) -> anyhow::Result<()> {
        Ok(self.journal.append(report)?)
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
        assert_eq!(log.known, [first.clone(), second.clone()]);
        assert_eq!(log.find(&second.subject), None, "a failure is tried again");

        let mut longer = first.subject.clone();
        longer.settings.effort.seconds += 1.0;
        assert_eq!(log.find(&longer), None);
        let changed = BenchSubject {
            rules: Some("another digest".to_owned()),
            ..first.subject
        };
        assert_eq!(log.find(&changed), None);
    }
}
