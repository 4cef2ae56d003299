//! Making room: what was not used for the longest time goes first.

use super::{Cache, DIGEST, Kind, WORK, is_key};
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What was used so lately stays in any case: somebody may be about to load it.
const RECENT: Duration = Duration::from_secs(60);

/// What is left of a compilation that was cut short is older than that; none
/// takes so long.
const ABANDONED: Duration = Duration::from_secs(3600);

/// An entry as it lies there.
struct Kept {
    folder: PathBuf,
    used: SystemTime,
    bytes: u64,
}

impl Cache {
    /// Keeps to the limit, and clears up after programs that could not. What
    /// others do meanwhile, or have loaded, is not disturbed: an entry goes from
    /// its place whole, and code that is in use stays until it is not.
    pub(super) fn sweep(&self, now: SystemTime) {
        let Ok(found) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut entries = Vec::new();
        for found in found.flatten() {
            let name = found.file_name();
            let name = name.to_string_lossy();
            if is_entry(&name) {
                entries.push(examine(found.path()));
            } else if is_scrap(&name) && age(&found, now) > ABANDONED {
                let path = found.path();
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
        }
        entries.sort_by_key(|entry| entry.used);
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in &entries {
            let idle = now.duration_since(entry.used).unwrap_or_default();
            if total > self.limit && idle > RECENT {
                tracing::debug!(entry = %entry.folder.display(), "makes room for others");
                self.discard(&entry.folder);
                total -= entry.bytes;
            }
        }
    }

    /// Does away with a folder, at once for everybody.
    pub(super) fn discard(&self, folder: &Path) {
        if let Ok(work) = self.work() {
            // It goes with the folder that it is moved to.
            let _ = fs::rename(folder, work.path().join("old"));
        }
    }
}

/// Whether a folder of this name is an entry: the rest of the folder may be
/// somebody else's.
fn is_entry(name: &str) -> bool {
    Kind::ALL.iter().any(|kind| {
        let key = name.strip_prefix(kind.name());
        let key = key.and_then(|rest| rest.strip_prefix('-'));
        key.is_some_and(is_key)
    })
}

/// Whether it is what is needed while entries are made.
fn is_scrap(name: &str) -> bool {
    name.starts_with(WORK) || name.strip_suffix(".lock").is_some_and(is_entry)
}

fn age(found: &DirEntry, now: SystemTime) -> Duration {
    let changed = found.metadata().and_then(|metadata| metadata.modified());
    let age = changed.ok().and_then(|time| now.duration_since(time).ok());
    age.unwrap_or_default()
}

/// Size and last use; an entry without a digest was never used.
fn examine(folder: PathBuf) -> Kept {
    let used = fs::metadata(folder.join(DIGEST)).and_then(|file| file.modified());
    let files = fs::read_dir(&folder).into_iter().flatten().flatten();
    let bytes = files.flat_map(|file| file.metadata());
    Kept {
        used: used.unwrap_or(SystemTime::UNIX_EPOCH),
        bytes: bytes.map(|file| file.len()).sum(),
        folder,
    }
}
