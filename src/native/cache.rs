//! Compiled things that are kept, so that no game is compiled twice.

use anyhow::Context as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// A file that may have been made before.
pub(super) struct Entry {
    path: PathBuf,
}

/// The entry of what is made from these texts.
pub(super) fn entry(texts: &[&str], extension: &str) -> anyhow::Result<Entry> {
    let digest = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, env!("CARGO_PKG_VERSION"), texts).hash(&mut hasher);
        hasher.finish()
    };
    // rustc insists on the prefix.
    let name = format!("lib{:016x}{:016x}.{extension}", digest(0), digest(1));
    Ok(Entry {
        path: folder()?.join(name),
    })
}

/// Where things are kept: `GDL_CACHE` if set, else the user's cache folder.
fn folder() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("GDL_CACHE") {
        return Ok(folder.into());
    }
    let folders = directories::ProjectDirs::from("", "", "gdl")
        .context("there is no home folder to keep compiled games in; set GDL_CACHE")?;
    Ok(folders.cache_dir().to_owned())
}

impl Entry {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the file unless it is there. `make` is given an empty folder to
    /// work in and the path to make; other processes see the whole file or none.
    pub fn fill(
        &self,
        make: impl FnOnce(&Path, &Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if self.path.exists() {
            return Ok(());
        }
        let folder = self.path.parent().context("an entry stands in a folder")?;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let work = tempfile::tempdir_in(folder).context("cannot make a folder to compile in")?;
        let made = work.path().join("made");
        make(work.path(), &made)?;
        std::fs::rename(&made, &self.path)
            .with_context(|| format!("cannot keep {}", self.path.display()))
    }
}
