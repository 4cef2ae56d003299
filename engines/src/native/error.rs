//! Why there is no compiled game.

use std::io;
use std::path::Path;
use std::time::Duration;

/// Why a game was not compiled to machine code and loaded.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// The game is too large for a compiler.
    #[error(
        "{name} takes {operations} operations per step, and above {limit} a compiler takes too \
         long; the net engine runs it"
    )]
    TooLarge {
        /// What the game is called.
        name: String,
        /// Three-input operations per step.
        operations: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The emitter produced something that is not Rust: a bug of its own.
    #[error(transparent)]
    Emit(Box<dyn std::error::Error + Send + Sync>),
    /// The compiler did not compile the game.
    #[error(transparent)]
    Compiler(#[from] CompilerFailure),
    /// The system refused something, for example to write to a full disk.
    #[error("cannot {action}: {error}")]
    System {
        /// What was tried, as "write FILE".
        action: String,
        /// Why it failed.
        error: io::Error,
    },
    /// There is no home folder to keep compiled games in.
    #[error("there is no home folder to keep compiled games in; set GDL_CACHE")]
    NoCacheFolder,
    /// The file is not a library, or does not hold a game.
    #[error("cannot load {file}: {error}")]
    NotAGame {
        /// The file.
        file: String,
        /// What the loader says.
        error: libloading::Error,
    },
    /// The game was compiled for another version of the runtime.
    #[error("the compiled game belongs to another version of the runtime")]
    OtherRuntime,
}

/// How compiling failed: distinguishes what may succeed on another attempt from what
/// cannot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompilerFailure {
    /// There is no compiler, or it does not run: trying again is useless.
    #[error("native code needs rustc, which cannot be run ({0}); the net engine does not")]
    NoCompiler(String),
    /// The compilation was stopped by the caller.
    #[error("the compilation was stopped")]
    Stopped,
    /// The compiler exceeded its time limit.
    #[error("rustc took longer than {} s and was stopped", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The compiler exceeded its memory limit, in bytes.
    #[error("rustc needed more than {} MiB of memory", .0 >> 20)]
    OutOfMemory(u64),
    /// A signal of this number ended the compiler.
    #[error("signal {0} ended rustc")]
    Killed(i32),
    /// The compiler rejected the code, with these messages.
    #[error("rustc failed on emitted code:\n{0}")]
    Rejected(String),
    /// The compiler reported success and wrote no output.
    #[error("rustc succeeded, but wrote no file")]
    WroteNothing,
}

impl NativeError {
    /// For `map_err` where a file or folder could not be used; `verb` as in "write".
    pub(super) fn file(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        Self::system(format!("{verb} {}", path.display()))
    }

    /// For `map_err` where the system refused what is described by `action`.
    pub(super) fn system(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let action = action.into();
        move |error| Self::System { action, error }
    }
}
