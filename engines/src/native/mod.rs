//! The engine `native`: emitted Rust, compiled by rustc to a library while the program
//! runs, and loaded.
//!
//! [`compile_game`] turns a plan into an engine. [`CompilerCache`] compiles emitted
//! code unless the same code has been compiled before, and [`Library`] loads the
//! result. Compiled games can also be found by their rules
//! ([`CompilerCache::find_compiled`]), which involves neither compiler.

mod artifacts;
mod compiler_cache;
mod engine;
mod error;
mod library;
mod precompiled;
mod process;
mod rustc;
mod sandbox;

pub use compiler_cache::{CompileRequest, CompilerCache};
pub(crate) use engine::load;
pub use engine::{NativeGame, compile_game, emit_game};
pub use error::{CompilerFailure, NativeError};
pub use library::Library;
pub use precompiled::PrecompiledGame;
pub use process::{CompileLimits, stop_all};
pub use rustc::Rustc;
