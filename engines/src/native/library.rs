//! Loading a compiled game.
//!
//! Safety: loading runs whatever the file holds, so only files from the cache,
//! which this program's own compiler wrote, are loaded, and the executable's own
//! payload.

#![allow(unsafe_code)]

use anyhow::Context as _;
use gdl_runtime::compiled::Compiled;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use std::path::Path;
use std::sync::Arc;

/// A loaded game.
pub struct Library {
    library: Arc<libloading::Library>,
}

impl Library {
    /// Loads a library that [`build_library`](super::build_library) made.
    ///
    /// # Errors
    /// If the file is not a library or holds no game.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        // SAFETY: the head of the file.
        let library = unsafe { libloading::Library::new(path) }
            .with_context(|| format!("cannot load {}", path.display()))?;
        Ok(Self {
            library: Arc::new(library),
        })
    }

    /// An engine that runs the game, at most so wide.
    ///
    /// # Errors
    /// If the game was compiled for another version of the runtime.
    pub fn engine(&self, width: Width) -> anyhow::Result<LaneEngine> {
        type Entry = unsafe extern "C" fn() -> *const Compiled;
        // SAFETY: the head of the file; the symbol has this type in every library
        // that this program writes, and the engine keeps the library loaded.
        let compiled = unsafe {
            let entry = self.library.get::<Entry>(b"gdl_game\0")?;
            &*entry()
        };
        let keep = Arc::clone(&self.library) as Arc<dyn Send + Sync>;
        compiled
            .loaded_engine(width, &keep)
            .context("the compiled game belongs to another version of the runtime")
    }
}
