//! Compiled things that are kept, so that no game is compiled twice.
//!
//! An entry is a folder of two files: what was made, and its digest. It appears
//! whole or not at all, and what does not match its digest counts as not there.
//! The folder's name is a digest of all that the entry follows from, so that an
//! entry is never out of date; its time is that of its last use, by which
//! [`sweep`] makes room.

mod sweep;

use super::child::{Limits, NAP, is_called_off};
use super::failure::Failure;
use anyhow::Context as _;
use gdl_runtime::stop_flag::StopFlag;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The file that holds an entry's digest, and whose time is that of its last use.
const DIGEST: &str = "sha256";

/// Beginnings of the names of folders in which something is made or done away
/// with.
const WORK: &str = "work-";

/// A folder of entries.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: PathBuf,
    /// Bytes that all entries together may have.
    limit: u64,
}

/// What sort of thing an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The compiled runtime.
    Runtime,
    /// A compiled game.
    Game,
    /// The key of the game that follows from rules.
    Rules,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Runtime, Self::Game, Self::Rules];

    fn name(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Game => "game",
            Self::Rules => "rules",
        }
    }

    /// What the file is called: rustc insists on the prefix and the extension.
    fn file(self) -> &'static str {
        match self {
            Self::Runtime => "libruntime.rlib",
            Self::Game => "libgame.so",
            Self::Rules => "game",
        }
    }
}

/// A place for something that may have been made before.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    cache: &'a Cache,
    kind: Kind,
    key: String,
}

impl Cache {
    /// Entries below a folder.
    pub(super) fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit }
    }

    /// The entry of what follows from these texts.
    pub(super) fn entry(&self, kind: Kind, texts: &[&str]) -> Entry<'_> {
        let mut digest = Sha256::new();
        for text in texts {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        Entry {
            cache: self,
            kind,
            key: hex(&digest.finalize()),
        }
    }

    /// The entry of a [key](Entry::key), if the text is one.
    pub(super) fn keyed(&self, kind: Kind, key: String) -> Option<Entry<'_>> {
        let cache = self;
        is_key(&key).then_some(Entry { cache, kind, key })
    }

    /// An empty folder, gone when its owner is.
    fn work(&self) -> anyhow::Result<tempfile::TempDir> {
        let folder = &self.folder;
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let work = tempfile::Builder::new().prefix(WORK).tempdir_in(folder);
        work.with_context(|| format!("cannot make a folder in {}", folder.display()))
    }
}

impl Entry<'_> {
    /// What the entry follows from, digested.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    fn folder(&self) -> PathBuf {
        let (kind, key) = (self.kind.name(), &self.key);
        self.cache.folder.join(format!("{kind}-{key}"))
    }

    /// The file, if it was made before and is what it was then.
    pub(super) fn find(&self) -> Option<PathBuf> {
        let folder = self.folder();
        if !folder.exists() {
            return None;
        }
        touch(&folder);
        let kept = fs::read_to_string(folder.join(DIGEST)).unwrap_or_default();
        let file = folder.join(self.kind.file());
        if digest_of(&file).is_ok_and(|digest| digest == kept) {
            return Some(file);
        }
        tracing::warn!(entry = %folder.display(), "damaged, so it is made anew");
        self.discard();
        None
    }

    /// The file, made unless it is there: `make` is given an empty folder to work
    /// in and the path of the file. Of several that want it, one makes it.
    pub(super) fn fill(
        &self,
        limits: &Limits,
        cancel: &StopFlag,
        make: impl FnOnce(&Path, &Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<PathBuf> {
        if let Some(file) = self.find() {
            return Ok(file);
        }
        let work = self.cache.work()?;
        let lock = self.lock(limits, cancel)?;
        if let Some(file) = self.find() {
            return Ok(file);
        }
        let made = work.path().join("entry");
        let folder = work.path().join("work");
        for path in [&made, &folder] {
            fs::create_dir(path).with_context(|| format!("cannot make {}", path.display()))?;
        }
        make(&folder, &made.join(self.kind.file()))?;
        let file = self.keep(&made)?;
        drop(lock);
        self.cache.sweep(SystemTime::now());
        Ok(file)
    }

    /// Puts a folder with the file into its place.
    fn keep(&self, made: &Path) -> anyhow::Result<PathBuf> {
        let kept = || -> io::Result<()> {
            let digest = digest_of(&made.join(self.kind.file()))?;
            fs::write(made.join(DIGEST), digest)?;
            // What stands there by now is as good, or is damaged.
            if fs::rename(made, self.folder()).is_err() && self.find().is_none() {
                fs::rename(made, self.folder())?;
            }
            Ok(())
        };
        let folder = self.folder();
        kept().with_context(|| format!("cannot keep {}", folder.display()))?;
        Ok(folder.join(self.kind.file()))
    }

    /// Does away with the entry, at once for everybody.
    pub(super) fn discard(&self) {
        self.cache.discard(&self.folder());
    }

    /// Waits until nobody else makes this entry. Where files cannot be locked,
    /// it is made more than once.
    fn lock(&self, limits: &Limits, cancel: &StopFlag) -> anyhow::Result<Lock> {
        let path = self.folder().with_extension("lock");
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let deadline = Instant::now() + limits.time;
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            if is_called_off(cancel) {
                return Err(Failure::Cancelled.into());
            }
            if Instant::now() >= deadline {
                return Err(Failure::TooLong(limits.time).into());
            }
            std::thread::sleep(NAP);
        }
        Ok(Lock { path, _file: file })
    }
}

/// A locked file, gone when its owner is.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Takes note that an entry is used now.
fn touch(folder: &Path) {
    let file = File::options().append(true).open(folder.join(DIGEST));
    let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
}

fn digest_of(file: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    io::copy(&mut File::open(file)?, &mut Digester(&mut digest))?;
    Ok(hex(&digest.finalize()))
}

/// A digest as something that can be written to.
struct Digester<'a>(&'a mut Sha256);

impl io::Write for Digester<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.0.update(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
