//! What can be wrong with the files of a contest.

use std::io;
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file cannot be opened, read, written or removed.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The first line is not the configuration of a contest.
    #[error("{}:1: not the configuration of a contest", path.display())]
    Configuration {
        /// The file.
        path: PathBuf,
        /// What is wrong with the line.
        source: serde_json::Error,
    },
    /// A line is not a game.
    #[error("{}:{line}: not a game", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A line is a game that the contest's schedule does not have.
    #[error("{}:{line}: not a game of this contest", path.display())]
    ForeignGame {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The file has no lines of JSON.
    #[error("{} is not a file of JSON lines", path.display())]
    ForeignFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with its first line.
        source: serde_json::Error,
    },
    /// Another process has the file open for writing.
    #[error("{} is being written by another process", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file belongs to a contest with another configuration.
    #[error(
        "{} holds another contest: {}; keep this one in another file",
        path.display(),
        differences.join(", ")
    )]
    OtherContest {
        /// The file.
        path: PathBuf,
        /// What differs, one clause each.
        differences: Vec<String>,
    },
}

impl JournalError {
    /// Turns an error of `action` on a file into one that names both.
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File {
            action,
            path,
            source,
        }
    }
}
