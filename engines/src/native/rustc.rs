//! The compiler: rustc with a clean environment and limits.

use super::child::{Ended, Limits, Stream, run};
use super::failure::Failure;
use gdl_runtime::stop_flag::StopFlag;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What rustc needs to find itself and its linker.
const ENVIRONMENT: [&str; 5] = [
    "PATH",
    "HOME",
    "RUSTUP_HOME",
    "CARGO_HOME",
    "RUSTUP_TOOLCHAIN",
];

/// How everything is compiled.
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

/// How long it may take to say which version it is.
const ANSWER: Duration = Duration::from_secs(30);

/// What compilers, the standard library and linkers say when memory runs out.
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
    /// [`Failure::NoCompiler`] if it cannot be run.
    pub fn find() -> anyhow::Result<Self> {
        Self::at(
            &Self::usual_path(),
            &Limits::FOREGROUND,
            &StopFlag::default(),
        )
    }

    /// Where rustc usually is: `RUSTC` if set, else somewhere on the path.
    pub(super) fn usual_path() -> PathBuf {
        std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
    }

    /// Asks the rustc at a path for its version.
    pub(super) fn at(path: &Path, limits: &Limits, cancel: &StopFlag) -> anyhow::Result<Self> {
        let limits = Limits {
            time: limits.time.min(ANSWER),
            ..*limits
        };
        let mut command = command(path);
        command.arg("-vV");
        let reason = match run(&mut command, Stream::Output, &limits, cancel) {
            Ok(ended) if ended.status.success() && !ended.said.is_empty() => {
                let (path, version) = (path.to_owned(), ended.said);
                return Ok(Self { path, version });
            }
            Ok(ended) => ended.status.to_string(),
            Err(error) if error.is::<Failure>() => match error.downcast()? {
                Failure::TooLong(_) => "it does not answer".to_owned(),
                other => return Err(other.into()),
            },
            Err(error) => error.root_cause().to_string(),
        };
        Err(Failure::NoCompiler(reason).into())
    }

    /// Version and host, as rustc prints them.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Runs rustc with these arguments, which name all files; what else it needs
    /// while it runs, it writes to a folder.
    pub(super) fn compile(
        &self,
        arguments: &[OsString],
        folder: &Path,
        limits: &Limits,
        cancel: &StopFlag,
    ) -> anyhow::Result<()> {
        let mut command = command(&self.path);
        command.args(FLAGS).args(arguments).env("TMPDIR", folder);
        let ended = run(&mut command, Stream::Errors, limits, cancel)?;
        match ended.status.success() {
            true => Ok(()),
            false => Err(reason(&ended, limits).into()),
        }
    }
}

/// A program that is given no more of the environment than it needs.
fn command(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env_clear();
    for name in ENVIRONMENT {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command
}

/// Why a compilation failed.
fn reason(ended: &Ended, limits: &Limits) -> Failure {
    let said = ended.said.to_ascii_lowercase();
    if OUT_OF_MEMORY.iter().any(|words| said.contains(words)) {
        return Failure::OutOfMemory(limits.memory);
    }
    match ended.status.signal() {
        Some(signal) => Failure::Killed(signal),
        None => Failure::Refused(ended.said.clone()),
    }
}
