//! The record of a match, kept on disk while it is played.

use anyhow::Context as _;
use gdl_network::protocol::MatchRecord;
use std::path::{Path, PathBuf};

/// A file to which the record of a match is written after every move.
pub(super) struct RecordFile {
    path: Option<PathBuf>,
    complained: bool,
}

impl RecordFile {
    /// Writes the first record to this path, or to a new file in this folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn begin(path: Option<&Path>, record: &MatchRecord) -> anyhow::Result<Self> {
        let path = path.map(|path| {
            let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
            if !is_folder {
                return Ok(path.to_owned());
            }
            std::fs::create_dir_all(path)
                .with_context(|| format!("cannot make {}", path.display()))?;
            anyhow::Ok(path.join(format!("{}.json", record.match_id)))
        });
        let path = path.transpose()?;
        if let Some(path) = &path {
            let failed = || format!("cannot write {}", path.display());
            record.save(path).with_context(failed)?;
        }
        Ok(Self {
            path,
            complained: false,
        })
    }

    /// Rewrites the file. A failure is reported once and does not end the match.
    pub(super) fn rewrite(&mut self, record: &MatchRecord) {
        let Some(path) = &self.path else { return };
        if let Err(error) = record.save(path)
            && !self.complained
        {
            eprintln!(
                "the match goes on, but {} cannot be written: {error}",
                path.display()
            );
            self.complained = true;
        }
    }
}
