//! Evicts the least recently used entries.

use super::{ArtifactCache, ArtifactKind, DIGEST, TEMPORARY};
use crate::digest::is_sha256_hex;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Entries that were used within this time are kept in any case: another process may be
/// about to load them.
const RECENT: Duration = Duration::from_secs(60);

/// Temporary files that are older than this were left by a process that was killed; no
/// compilation takes that long.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Size and last use of an entry.
struct EntryUsage {
    folder: PathBuf,
    used: SystemTime,
    bytes: u64,
}

impl ArtifactCache {
    /// Deletes the least recently used entries until the limit is met, and whatever
    /// killed processes left behind. Other processes are not disturbed: an entry
    /// disappears atomically, and libraries that are loaded stay loaded.
    pub(super) fn evict(&self, now: SystemTime) {
        let Ok(found) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut entries = Vec::new();
        for found in found.flatten() {
            let name = found.file_name();
            let name = name.to_string_lossy();
            if is_entry(&name) {
                entries.push(usage(found.path()));
            } else if is_temporary(&name) && age(&found, now) > ABANDONED {
                let path = found.path();
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
        }
        entries.sort_by_key(|entry| entry.used);
        let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in &entries {
            let idle = now.duration_since(entry.used).unwrap_or_default();
            if total > self.limit && idle > RECENT {
                tracing::debug!(entry = %entry.folder.display(), "evicted from the cache");
                self.delete(&entry.folder);
                total -= entry.bytes;
            }
        }
    }

    /// Deletes a folder, atomically.
    pub(super) fn delete(&self, folder: &Path) {
        if let Ok(temporary) = self.temporary_folder() {
            // It is deleted with the temporary folder.
            let _ = fs::rename(folder, temporary.path().join("old"));
        }
    }
}

/// Whether a folder of this name is an entry: the cache may share its folder with other
/// files.
fn is_entry(name: &str) -> bool {
    ArtifactKind::ALL.iter().any(|kind| {
        let key = name.strip_prefix(kind.name());
        let key = key.and_then(|rest| rest.strip_prefix('-'));
        key.is_some_and(is_sha256_hex)
    })
}

/// Whether a file or folder of this name is used while entries are made.
fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY) || name.strip_suffix(".lock").is_some_and(is_entry)
}

fn age(found: &DirEntry, now: SystemTime) -> Duration {
    let changed = found.metadata().and_then(|metadata| metadata.modified());
    let age = changed.ok().and_then(|time| now.duration_since(time).ok());
    age.unwrap_or_default()
}

/// Size and last use of an entry; one without a digest was never used.
fn usage(folder: PathBuf) -> EntryUsage {
    let used = fs::metadata(folder.join(DIGEST)).and_then(|file| file.modified());
    let files = fs::read_dir(&folder).into_iter().flatten().flatten();
    let bytes = files.flat_map(|file| file.metadata());
    EntryUsage {
        used: used.unwrap_or(SystemTime::UNIX_EPOCH),
        bytes: bytes.map(|file| file.len()).sum(),
        folder,
    }
}
