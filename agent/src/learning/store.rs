//! What earlier matches left for later ones: networks by the digest of their game, in a folder
//! that never grows beyond a limit.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use gdl_runtime::layout::Layout;
use tempfile::NamedTempFile;

use super::file;
use super::game_digest::game_digest;
use super::learned::LearnedNetwork;

/// The extension of files with networks.
const EXTENSION: &str = "net";

/// A folder of networks. Several processes may use it at the same time: files are replaced
/// as a whole.
#[derive(Debug, PartialEq, Eq)]
pub struct NetworkStore {
    folder: PathBuf,
    /// The largest size of all files together, in bytes.
    limit: u64,
}

impl NetworkStore {
    /// The networks in a folder, which is created when the first one is saved. Those written least
    /// recently are removed when all together take more than `limit` bytes.
    #[must_use]
    pub fn new(folder: &Path, limit: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            limit,
        }
    }

    /// The network for this layout's game; `None` if there is none, or none that is intact.
    #[must_use]
    pub fn load(&self, layout: &Layout) -> Option<LearnedNetwork> {
        file::load(&self.path(layout), Some(layout)).ok()
    }

    /// Saves a network for this layout's game in place of an earlier one. One that cannot be
    /// written is not saved: matches do not depend on it.
    pub fn keep(&self, learned: &LearnedNetwork, layout: &Layout) {
        // A failure leaves no more behind than the file of an earlier network.
        let _ = self.write(&self.path(layout), &file::write(learned, layout));
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        // Several players of a process may learn the same game at the same time.
        let mut temporary = NamedTempFile::new_in(&self.folder)?;
        temporary.write_all(bytes)?;
        temporary.persist(path)?;
        self.evict()
    }

    fn path(&self, layout: &Layout) -> PathBuf {
        let digits = game_digest(layout).map(|byte| format!("{byte:02x}"));
        let name = format!("{}.{EXTENSION}", digits.concat());
        self.folder.join(name)
    }

    /// Removes the networks that were written first until the limit is kept.
    fn evict(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == EXTENSION) {
                let metadata = fs::metadata(&path)?;
                files.push((metadata.modified()?, metadata.len(), path));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in files {
            if total <= self.limit {
                break;
            }
            fs::remove_file(path)?;
            total -= bytes;
        }
        Ok(())
    }
}
