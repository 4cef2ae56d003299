//! Loads compiled games.
//!
//! Safety: loading a library runs code in it. Only libraries that this program compiled
//! itself are loaded: those in the cache, and the one appended to the running
//! executable.

#![allow(unsafe_code)]

use super::error::NativeError;
use gdl_runtime::compiled::Compiled;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A compiled game, loaded into this process.
#[derive(Debug)]
pub struct Library {
    file: PathBuf,
    library: Arc<libloading::Library>,
}

impl Library {
    /// Loads a library made by
    /// [`CompilerCache::build_library`](super::CompilerCache::build_library).
    ///
    /// # Errors
    /// If the file is not a library.
    pub fn load(file: &Path) -> Result<Self, NativeError> {
        // SAFETY: see the head of this file.
        let library =
            unsafe { libloading::Library::new(file) }.map_err(|error| not_a_game(file, error))?;
        Ok(Self {
            file: file.to_owned(),
            library: Arc::new(library),
        })
    }

    /// An engine that runs the game, of at most this width.
    ///
    /// # Errors
    /// If the library holds no game, or the game was compiled for another version of
    /// the runtime.
    pub fn engine(&self, width: Width) -> Result<LaneEngine, NativeError> {
        type EntryPoint = unsafe extern "C" fn() -> *const Compiled;
        // SAFETY: see the head of this file; the symbol has this type in every library
        // that this program compiles, and the engine keeps the library loaded.
        let compiled = unsafe {
            let entry_point = self.library.get::<EntryPoint>(b"gdl_game\0");
            &*entry_point.map_err(|error| not_a_game(&self.file, error))?()
        };
        let keep = Arc::clone(&self.library) as Arc<dyn Send + Sync>;
        compiled
            .loaded_engine(width, &keep)
            .ok_or(NativeError::OtherRuntime)
    }
}

fn not_a_game(file: &Path, error: libloading::Error) -> NativeError {
    NativeError::NotAGame {
        file: file.display().to_string(),
        error,
    }
}
