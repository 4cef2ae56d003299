//! Why there is no compiled game.

use std::fmt;
use std::time::Duration;

/// What went wrong with the compiler. Everything else, as a disk that is full,
/// is an ordinary error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There is none, or it does not run: there is no use in trying again.
    NoCompiler(String),
    /// Nobody wants the game any more.
    Cancelled,
    /// It took longer than it may.
    TooLong(Duration),
    /// It needed more memory than it may have, in bytes.
    OutOfMemory(u64),
    /// A signal ended it.
    Killed(i32),
    /// It refused the code, and said why.
    Refused(String),
    /// It said that all was well, and wrote nothing.
    WroteNothing,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCompiler(reason) => write!(
                f,
                "native code needs rustc, which cannot be run ({reason}); the net engine does not"
            ),
            Self::Cancelled => f.write_str("the compilation was called off"),
            Self::TooLong(time) => {
                let seconds = time.as_secs_f64();
                write!(f, "rustc took longer than {seconds} s and was stopped")
            }
            Self::OutOfMemory(bytes) => {
                write!(f, "rustc needed more than {} MiB of memory", bytes >> 20)
            }
            Self::Killed(signal) => write!(f, "signal {signal} ended rustc"),
            Self::Refused(complaints) => write!(f, "rustc failed on emitted code:\n{complaints}"),
            Self::WroteNothing => f.write_str("rustc succeeded, but wrote no file"),
        }
    }
}

impl std::error::Error for Failure {}
