//! Native code while the program runs: emitted Rust, compiled by rustc to a
//! library and loaded.
//!
//! [`Workshop::build_library`] is given emitted code and returns a library, from
//! the cache if the same code was compiled before; [`Library`] loads one. Libraries
//! can also be found by the rules that they follow from ([`Workshop::cached`]),
//! without any work of the compiler's.

mod cache;
mod child;
#[cfg(all(target_arch = "x86_64", unix))]
mod executable;
mod failure;
mod library;
mod rustc;
mod sandbox;
mod workshop;

pub use child::{Limits, call_all_off};
#[cfg(all(target_arch = "x86_64", unix))]
pub use executable::load_code;
pub use failure::Failure;
pub use library::Library;
pub use rustc::Rustc;
pub use workshop::{Order, Workshop};

use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use std::path::PathBuf;

/// The library of a game's emitted code, compiled unless it is in the cache; as
/// the environment says.
///
/// # Errors
/// [`Failure`] if there is no compiler, it fails, exceeds its limits or is called
/// off; otherwise if files cannot be written.
pub fn build_library(
    order: &Order<'_>,
    limits: &Limits,
    cancel: &StopFlag,
) -> anyhow::Result<PathBuf> {
    Workshop::of_environment()?.build_library(order, limits, cancel)
}

/// A game that was compiled before for so many lanes, found by the text of its
/// rules.
#[must_use]
pub fn cached(rules: &str, width: Width) -> Option<LaneEngine> {
    Workshop::of_environment().ok()?.cached(rules, width)
}

/// Compiles what all games need, unless that is in the cache: the first game need
/// not wait for it then.
///
/// # Errors
/// As [`build_library`].
pub fn prepare(limits: &Limits, cancel: &StopFlag) -> anyhow::Result<()> {
    Workshop::of_environment()?.prepare(limits, cancel)
}
