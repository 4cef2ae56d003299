//! Stores compiled artifacts, so that nothing is compiled twice.
//!
//! An entry is a folder of two files: the artifact and its digest. It appears
//! atomically, and an artifact that does not match its digest counts as absent. The
//! folder's name is a digest of everything that the artifact depends on, so that an
//! entry is never out of date. The modification time of the digest is that of the
//! entry's last use, which [`eviction`] goes by.

mod eviction;

use super::error::{CompilerFailure, NativeError};
use super::process::{CompileLimits, POLL_INTERVAL, must_stop};
use crate::digest::{StreamDigest, is_sha256_hex};
use gdl_runtime::stop_flag::StopFlag;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The file that holds an entry's digest; its modification time is that of the entry's
/// last use.
const DIGEST: &str = "sha256";

/// Prefix of the names of temporary folders, in which entries are made or deleted.
const TEMPORARY: &str = "work-";

/// A folder of entries.
#[derive(Debug, Clone)]
pub(super) struct ArtifactCache {
    folder: PathBuf,
    /// Maximum number of bytes of all entries together.
    limit: u64,
}

/// What an entry holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArtifactKind {
    /// The compiled runtime.
    Runtime,
    /// A compiled game.
    Game,
    /// The key of the game that was compiled from a rule sheet.
    Rules,
}

impl ArtifactKind {
    const ALL: [Self; 3] = [Self::Runtime, Self::Game, Self::Rules];

    fn name(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Game => "game",
            Self::Rules => "rules",
        }
    }

    /// The name of the artifact's file: rustc requires the prefixes and extensions.
    fn file(self) -> &'static str {
        match self {
            Self::Runtime => "libruntime.rlib",
            Self::Game => "libgame.so",
            Self::Rules => "game",
        }
    }
}

/// The place of an artifact, whether it has been made or not.
#[derive(Debug)]
pub(super) struct CacheEntry<'a> {
    cache: &'a ArtifactCache,
    kind: ArtifactKind,
    key: String,
}

impl ArtifactCache {
    /// A cache in `folder` of at most `limit` bytes.
    pub(super) fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit }
    }

    /// The entry of the artifact that depends on exactly these texts.
    pub(super) fn entry(&self, kind: ArtifactKind, texts: &[&str]) -> CacheEntry<'_> {
        let mut digest = StreamDigest::default();
        for text in texts {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        CacheEntry {
            cache: self,
            kind,
            key: digest.finish(),
        }
    }

    /// The entry of a [key](CacheEntry::key); `None` if the text is not a key.
    pub(super) fn entry_of_key(&self, kind: ArtifactKind, key: String) -> Option<CacheEntry<'_>> {
        let cache = self;
        is_sha256_hex(&key).then_some(CacheEntry { cache, kind, key })
    }

    /// A new temporary folder, deleted when dropped.
    fn temporary_folder(&self) -> Result<tempfile::TempDir, NativeError> {
        let folder = &self.folder;
        fs::create_dir_all(folder).map_err(NativeError::file("make", folder))?;
        let temporary = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempdir_in(folder);
        temporary.map_err(NativeError::file("make a folder in", folder))
    }
}

impl CacheEntry<'_> {
    /// The digest of everything that the artifact depends on.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    fn folder(&self) -> PathBuf {
        let (kind, key) = (self.kind.name(), &self.key);
        self.cache.folder.join(format!("{kind}-{key}"))
    }

    /// The artifact, if it is there and intact. A damaged entry is deleted.
    pub(super) fn find(&self) -> Option<PathBuf> {
        let folder = self.folder();
        if !folder.exists() {
            return None;
        }
        mark_used(&folder);
        let expected = fs::read_to_string(folder.join(DIGEST)).unwrap_or_default();
        let file = folder.join(self.kind.file());
        if digest_of(&file).is_ok_and(|digest| digest == expected) {
            return Some(file);
        }
        tracing::warn!(entry = %folder.display(), "a damaged cache entry is deleted");
        self.delete();
        None
    }

    /// The artifact, made by `make` unless it is there. `make` is given an empty folder
    /// for temporary files and the path of the artifact. If several threads or processes
    /// ask for the same entry at once, one of them makes it.
    pub(super) fn find_or_make(
        &self,
        limits: &CompileLimits,
        stop: &StopFlag,
        make: impl FnOnce(&Path, &Path) -> Result<(), NativeError>,
    ) -> Result<PathBuf, NativeError> {
        if let Some(file) = self.find() {
            return Ok(file);
        }
        let temporary = self.cache.temporary_folder()?;
        let lock = self.lock(limits, stop)?;
        if let Some(file) = self.find() {
            return Ok(file);
        }
        let entry = temporary.path().join("entry");
        let scratch = temporary.path().join("work");
        for path in [&entry, &scratch] {
            fs::create_dir(path).map_err(NativeError::file("make", path))?;
        }
        make(&scratch, &entry.join(self.kind.file()))?;
        let file = self.install(&entry)?;
        drop(lock);
        self.cache.evict(SystemTime::now());
        Ok(file)
    }

    /// Moves a folder with the artifact to the entry's place.
    fn install(&self, made: &Path) -> Result<PathBuf, NativeError> {
        let install = || -> io::Result<()> {
            let digest = digest_of(&made.join(self.kind.file()))?;
            fs::write(made.join(DIGEST), digest)?;
            // If the rename fails, another process was faster, or its entry is damaged.
            if fs::rename(made, self.folder()).is_err() && self.find().is_none() {
                fs::rename(made, self.folder())?;
            }
            Ok(())
        };
        let folder = self.folder();
        install().map_err(NativeError::file("write", &folder))?;
        Ok(folder.join(self.kind.file()))
    }

    /// Deletes the entry, atomically.
    pub(super) fn delete(&self) {
        self.cache.delete(&self.folder());
    }

    /// Waits until no other process makes this entry. Where files cannot be locked, the
    /// entry may be made more than once.
    fn lock(&self, limits: &CompileLimits, stop: &StopFlag) -> Result<EntryLock, NativeError> {
        let path = self.folder().with_extension("lock");
        let file = File::create(&path).map_err(NativeError::file("write", &path))?;
        let deadline = Instant::now() + limits.time;
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            if must_stop(stop) {
                return Err(CompilerFailure::Stopped.into());
            }
            if Instant::now() >= deadline {
                return Err(CompilerFailure::TimedOut(limits.time).into());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(EntryLock { path, _file: file })
    }
}

/// A locked file, deleted when dropped.
struct EntryLock {
    path: PathBuf,
    _file: File,
}

impl Drop for EntryLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Records that an entry is used now.
fn mark_used(folder: &Path) {
    let file = File::options().append(true).open(folder.join(DIGEST));
    let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
}

fn digest_of(file: &Path) -> io::Result<String> {
    let mut digest = StreamDigest::default();
    io::copy(&mut File::open(file)?, &mut digest)?;
    Ok(digest.finish())
}
