//! [`Ledger`]: a file of the records that this build of the program has made.

use super::record::{Outcome, Record};
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// The build, by its time and size, and the seconds for each engine.
    run: (u128, u64, f64),
    #[serde(flatten)]
    record: Record,
}

/// The records of this build.
pub struct Ledger {
    run: (u128, u64, f64),
    known: Vec<Record>,
    file: File,
}

impl Ledger {
    /// Opens the file; ignores what it holds if everything is to be measured again.
    pub fn open(seconds: f64, again: bool) -> anyhow::Result<Self> {
        let program = std::fs::metadata(std::env::current_exe()?)?;
        let modified = program.modified()?.duration_since(UNIX_EPOCH)?;
        let run = (modified.as_nanos(), program.len(), seconds);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("performance.jsonl");
        let text = match path.exists() && !again {
            true => std::fs::read_to_string(&path)?,
            false => String::new(),
        };
        let entries = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let current = entries.filter(|entry: &Entry| entry.run == run);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        Ok(Self {
            run,
            known: current.map(|entry| entry.record).collect(),
            file: file.with_context(|| path.display().to_string())?,
        })
    }

    /// The latest record of a rule sheet.
    pub fn find(&self, sheet: &str) -> Option<Record> {
        let known = self.known.iter().rfind(|record| record.sheet == sheet);
        known.cloned()
    }

    /// Appends the outcome of a rule sheet.
    pub fn keep(&mut self, sheet: &str, outcome: Outcome) -> anyhow::Result<Record> {
        let record = Record {
            sheet: sheet.to_owned(),
            outcome,
        };
        let entry = Entry {
            run: self.run,
            record: record.clone(),
        };
        let line = format!("{}\n", serde_json::to_string(&entry)?);
        self.file.write_all(line.as_bytes())?;
        Ok(record)
    }
}
