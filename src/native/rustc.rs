//! The child compiler: rustc with a clean environment and limits.

use anyhow::{Context as _, bail};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long one compilation may take.
const TIME: Duration = Duration::from_secs(600);

/// The memory one compilation may map.
#[cfg(target_os = "linux")]
const ADDRESS_SPACE: u64 = 16 << 30;

/// What rustc needs to find itself and its linker.
const ENVIRONMENT: [&str; 6] = [
    "PATH",
    "HOME",
    "RUSTUP_HOME",
    "CARGO_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
];

/// How much of the compiler's complaints is passed on.
const COMPLAINT: usize = 4000;

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
    /// If it cannot be run.
    pub fn find() -> anyhow::Result<Self> {
        let path = std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
        let output = Command::new(&path)
            .arg("-vV")
            .output()
            .context("native code needs rustc, which cannot be run; the net engine does not")?;
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Self { path, version })
    }

    /// Version and host, as rustc prints them.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Compiles the runtime crate.
    pub(super) fn compile_runtime(&self, root: &Path, out: &Path) -> anyhow::Result<()> {
        self.run(|command| {
            command.args(["--crate-name", "runtime", "--crate-type", "rlib"]);
            command.arg("-o").arg(out).arg(root);
        })
    }

    /// Compiles a game to a library, given the compiled runtime.
    pub(super) fn compile_game(
        &self,
        root: &Path,
        runtime: &Path,
        out: &Path,
    ) -> anyhow::Result<()> {
        let mut runtime_argument = std::ffi::OsString::from("runtime=");
        runtime_argument.push(runtime);
        self.run(|command| {
            command.args(["--crate-name", "game", "--crate-type", "cdylib"]);
            command.arg("--extern").arg(runtime_argument);
            command.arg("-o").arg(out).arg(root);
        })
    }

    fn run(&self, arguments: impl FnOnce(&mut Command)) -> anyhow::Result<()> {
        let mut command = Command::new(&self.path);
        command
            .args([
                "--edition",
                "2024",
                "-C",
                "opt-level=3",
                "-C",
                "panic=abort",
            ])
            .args(["-C", "codegen-units=4", "--cap-lints", "allow"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .env_clear();
        for name in ENVIRONMENT {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        arguments(&mut command);
        let mut child = command.spawn().context("cannot run rustc")?;
        limit_resources(&child);
        let complaints = child.stderr.take();
        let complaints = std::thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut stream) = complaints {
                let _ = stream.read_to_string(&mut text);
            }
            text
        });
        let finished = wait(&mut child)?;
        let complaints = complaints.join().unwrap_or_default();
        if finished {
            return Ok(());
        }
        let complaints: String = complaints.chars().take(COMPLAINT).collect();
        bail!("rustc failed on emitted code:\n{complaints}")
    }
}

/// Waits for success or failure; a child that takes too long is killed.
fn wait(child: &mut Child) -> anyhow::Result<bool> {
    let deadline = Instant::now() + TIME;
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for rustc")? {
            return Ok(status.success());
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            bail!(
                "rustc took longer than {} s and was stopped",
                TIME.as_secs()
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
fn limit_resources(child: &Child) {
    let limits = [
        (rlimit::Resource::AS, ADDRESS_SPACE),
        (rlimit::Resource::CPU, 2 * TIME.as_secs()),
        (rlimit::Resource::CORE, 0),
    ];
    let Ok(process) = i32::try_from(child.id()) else {
        return;
    };
    for (resource, limit) in limits {
        if let Err(error) = rlimit::prlimit(process, resource, Some((limit, limit)), None) {
            tracing::warn!(?resource, %error, "the compiler runs without this limit");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_resources(_: &Child) {}
