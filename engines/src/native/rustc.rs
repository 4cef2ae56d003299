//! Runs rustc in a clean environment and under limits.

use super::error::{CompilerFailure, NativeError};
use super::process::{CapturedStream, CompileLimits, ProcessOutput, run};
use gdl_runtime::stop_flag::StopFlag;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The environment variables that rustc needs to find itself and its linker.
const ENVIRONMENT: [&str; 5] = [
    "PATH",
    "HOME",
    "RUSTUP_HOME",
    "CARGO_HOME",
    "RUSTUP_TOOLCHAIN",
];

/// The options of every compilation.
pub(super) const FLAGS: [&str; 10] = [
    "--edition",
    "2024",
    "-C",
    "panic=abort",
    "-C",
    "codegen-units=4",
    "-C",
    "strip=symbols",
    "--cap-lints",
    "allow",
];

/// Time limit for printing the version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(30);

/// What compilers, the standard library and linkers print when memory runs out.
const OUT_OF_MEMORY: [&str; 5] = [
    "out of memory",
    "memory allocation of",
    "cannot allocate memory",
    "memory exhausted",
    "bad_alloc",
];

/// An installed rustc.
#[derive(Debug)]
pub struct Rustc {
    path: PathBuf,
    version: String,
}

impl Rustc {
    /// Finds rustc: `RUSTC` if set, else on the path.
    ///
    /// # Errors
    /// [`CompilerFailure::NoCompiler`] if it cannot be run.
    pub fn find() -> Result<Self, NativeError> {
        let limits = CompileLimits::FOREGROUND;
        Self::at(&Self::default_path(), &limits, &StopFlag::default())
    }

    /// The path at which rustc is expected: `RUSTC` if set, else found on the path.
    pub(super) fn default_path() -> PathBuf {
        std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
    }

    /// Asks the rustc at a path for its version.
    pub(super) fn at(
        path: &Path,
        limits: &CompileLimits,
        stop: &StopFlag,
    ) -> Result<Self, NativeError> {
        let limits = CompileLimits {
            time: limits.time.min(VERSION_TIMEOUT),
            ..*limits
        };
        let mut command = command(path);
        command.arg("-vV");
        let reason = match run(&mut command, CapturedStream::Stdout, &limits, stop) {
            Ok(output) if output.status.success() && !output.text.is_empty() => {
                return Ok(Self {
                    path: path.to_owned(),
                    version: output.text,
                });
            }
            Ok(output) => output.status.to_string(),
            Err(NativeError::Compiler(CompilerFailure::TimedOut(_))) => {
                "it does not answer".to_owned()
            }
            Err(NativeError::System { error, .. }) => error.to_string(),
            Err(error) => return Err(error),
        };
        Err(CompilerFailure::NoCompiler(reason).into())
    }

    /// Version and host, as rustc prints them.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Runs rustc with these arguments, which name all input and output files;
    /// temporary files go to `folder`.
    pub(super) fn compile(
        &self,
        arguments: &[OsString],
        folder: &Path,
        limits: &CompileLimits,
        stop: &StopFlag,
    ) -> Result<(), NativeError> {
        let mut command = command(&self.path);
        command.args(FLAGS).args(arguments).env("TMPDIR", folder);
        let output = run(&mut command, CapturedStream::Stderr, limits, stop)?;
        match output.status.success() {
            true => Ok(()),
            false => Err(failure(output, limits).into()),
        }
    }
}

/// A command with no more of the environment than it needs.
fn command(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env_clear();
    for name in ENVIRONMENT {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command
}

/// Why a compilation failed.
fn failure(output: ProcessOutput, limits: &CompileLimits) -> CompilerFailure {
    let text = output.text.to_ascii_lowercase();
    if OUT_OF_MEMORY.iter().any(|words| text.contains(words)) {
        return CompilerFailure::OutOfMemory(limits.memory);
    }
    match output.status.signal() {
        Some(signal) => CompilerFailure::Killed(signal),
        None => CompilerFailure::Rejected(output.text),
    }
}
