//! A compiled game with its rule sheet.

use super::compiler_cache::canonical_rules;
use super::error::NativeError;
use super::library::Library;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdlc::source::Source;
use std::sync::Arc;

/// A compiled game with its rule sheet: what an executable made by `gdl build` holds.
#[derive(Debug)]
pub struct PrecompiledGame {
    source: Arc<Source>,
    canonical: Option<String>,
    library: Library,
}

impl PrecompiledGame {
    /// A library that was compiled from this rule sheet.
    #[must_use]
    pub fn new(source: Arc<Source>, library: Library) -> Self {
        Self {
            canonical: canonical_rules(&source.text),
            source,
            library,
        }
    }

    /// The rule sheet.
    #[must_use]
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// An engine of at most this width.
    ///
    /// # Errors
    /// As [`Library::engine`].
    pub fn engine(&self, width: Width) -> Result<LaneEngine, NativeError> {
        self.library.engine(width)
    }

    /// An engine of at most this width, if `rules` are those of the game; comments and
    /// spacing do not matter.
    #[must_use]
    pub fn engine_for(&self, rules: &str, width: Width) -> Option<LaneEngine> {
        let is_same = self.canonical.is_some() && canonical_rules(rules) == self.canonical;
        is_same.then(|| self.engine(width).ok()).flatten()
    }
}
