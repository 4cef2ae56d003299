//! Giving up a match from outside.

use anyhow::Context as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a match under way to end at once; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Called when the process is asked to end, by a terminal or another process.
    /// To be made once a process.
    ///
    /// # Errors
    /// If such requests cannot be heard of.
    pub fn by_signals() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        ctrlc::set_handler(move || heard.call()).context("cannot listen for interruptions")?;
        Ok(interrupt)
    }

    /// Gives up.
    pub fn call(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the match is to end.
    #[must_use]
    pub fn is_called(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
