//! Runs child processes under resource limits, and leaves nothing of them behind.
//!
//! Each child is started from a thread of its own: the thread gives up privileges and
//! the child inherits the restriction, while the rest of this program keeps its
//! privileges. If this program is killed, a child runs on until it is done or exceeds
//! its processor time; nothing else would end it.

use super::error::{CompilerFailure, NativeError};
use super::sandbox::deny_network;
use gdl_runtime::stop_flag::StopFlag;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
};
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Resource limits of a compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompileLimits {
    /// Wall-clock time of each step; all processors together may spend twice as much on
    /// a step.
    pub time: Duration,
    /// Bytes of address space, about twice the memory that is actually used.
    pub memory: u64,
    /// Whether more important work goes on at the same time: the compilation then runs
    /// at low priority, and whatever it starts ends with it.
    pub background: bool,
}

impl CompileLimits {
    /// For a compilation that a user waits for; it ends with the terminal.
    pub const FOREGROUND: Self = Self {
        time: Duration::from_secs(600),
        memory: 16 << 30,
        background: false,
    };

    /// For a compilation during a match.
    pub const BACKGROUND: Self = Self {
        time: Duration::from_secs(600),
        memory: 6 << 30,
        background: true,
    };
}

/// Whether this program is about to exit.
static EXITING: AtomicBool = AtomicBool::new(false);

/// Whether a compilation has to stop, alone or with all others.
pub(super) fn must_stop(stop: &StopFlag) -> bool {
    stop.is_raised() || EXITING.load(Ordering::Relaxed)
}

/// The number of compilations in progress.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// Stops all compilations, including those that have yet to begin, and waits at most
/// `timeout` for them to end. To be called before the program exits: processes in the
/// background would outlive it otherwise.
pub fn stop_all(timeout: Duration) {
    EXITING.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + timeout;
    while ACTIVE.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
    }
}

/// Counts a compilation as in progress until it is dropped.
pub(super) struct ActiveCompilation(());

impl ActiveCompilation {
    pub(super) fn begin() -> Self {
        ACTIVE.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for ActiveCompilation {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Which of a child's output streams is captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CapturedStream {
    Stdout,
    Stderr,
}

/// The result of a child process that has ended.
#[derive(Debug)]
pub(super) struct ProcessOutput {
    pub(super) status: ExitStatus,
    /// The beginning of what it wrote to the captured stream.
    pub(super) text: String,
}

/// How often the state of a child or a lock is polled.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Maximum number of bytes that are kept of a child's output.
const MAX_OUTPUT: usize = 4000;

/// How long to wait for a child's own children to disappear once they are killed.
const KILL_TIMEOUT: Duration = Duration::from_millis(500);

/// Nice value of background compilations: a tenth of the weight of a search on the same
/// processor. The lowest priority would be a hundredth, and no compilation would finish
/// before its match is over where searches occupy all processors.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Runs a child to its end.
///
/// # Errors
/// [`CompilerFailure`] if it was stopped or took too long; otherwise if it cannot be
/// started.
pub(super) fn run(
    command: &mut Command,
    stream: CapturedStream,
    limits: &CompileLimits,
    stop: &StopFlag,
) -> Result<ProcessOutput, NativeError> {
    thread::scope(|scope| {
        let child = || {
            deny_network();
            RunningProcess::start(command, stream, limits)?.wait(limits, stop)
        };
        let thread = thread::Builder::new().name("compiler".to_owned());
        let thread = thread.spawn_scoped(scope, child);
        let thread = thread.map_err(NativeError::system("start a thread for the compiler"))?;
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A child that has not been waited for; it is killed when this is dropped.
struct RunningProcess {
    child: Child,
    /// The process group of the child and its own children, unless that is ours.
    group: Option<Pid>,
    pipe: OutputPipe,
}

impl RunningProcess {
    /// Starts a child; to be called from a thread that does nothing else.
    fn start(
        command: &mut Command,
        stream: CapturedStream,
        limits: &CompileLimits,
    ) -> Result<Self, NativeError> {
        let (pipe, writer) =
            OutputPipe::new().map_err(NativeError::system("read the compiler's output"))?;
        command.stdin(Stdio::null());
        match stream {
            CapturedStream::Stdout => command.stdout(writer).stderr(Stdio::null()),
            CapturedStream::Stderr => command.stdout(Stdio::null()).stderr(writer),
        };
        if limits.background {
            command.process_group(0);
            lower_priority();
        }
        let child = command.spawn();
        // The command's own copy of the writing end would keep the pipe open.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = child.map_err(NativeError::system("start the compiler"))?;
        limit_resources(&child, limits);
        Ok(Self {
            group: limits.background.then(|| Pid::from_child(&child)),
            child,
            pipe,
        })
    }

    /// Reads output until the child ends, or has to.
    fn wait(
        mut self,
        limits: &CompileLimits,
        stop: &StopFlag,
    ) -> Result<ProcessOutput, NativeError> {
        let wait_error = "wait for the compiler";
        let deadline = Instant::now() + limits.time;
        while !self.has_ended().map_err(NativeError::system(wait_error))? {
            if must_stop(stop) {
                return Err(CompilerFailure::Stopped.into());
            }
            if Instant::now() >= deadline {
                return Err(CompilerFailure::TimedOut(limits.time).into());
            }
            self.pipe.wait_and_read();
        }
        self.kill_group();
        let status = self.child.wait();
        Ok(ProcessOutput {
            status: status.map_err(NativeError::system(wait_error))?,
            text: self.pipe.finish(),
        })
    }

    /// Whether the child has ended. It remains a zombie: its process id, and so its
    /// group, cannot be reused until it is waited for.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let child = WaitId::Pid(Pid::from_child(&self.child));
        match waitid(child, options) {
            Ok(status) => Ok(status.is_some()),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn kill_group(&self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill_group();
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        // The group may still write to files that are about to be deleted.
        let deadline = Instant::now() + KILL_TIMEOUT;
        while let Some(group) = self.group
            && test_kill_process_group(group).is_ok()
            && Instant::now() < deadline
        {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Captures the beginning of a child's output. The child is never blocked, however much
/// it writes; what exceeds [`MAX_OUTPUT`] is read and dropped.
struct OutputPipe {
    reader: PipeReader,
    open: bool,
    output: Vec<u8>,
}

impl OutputPipe {
    fn new() -> io::Result<(Self, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        fcntl_setfl(&reader, OFlags::NONBLOCK)?;
        let pipe = Self {
            reader,
            open: true,
            output: Vec::new(),
        };
        Ok((pipe, writer))
    }

    /// Waits for output, at most [`POLL_INTERVAL`], and reads it.
    fn wait_and_read(&mut self) {
        if !self.open {
            return thread::sleep(POLL_INTERVAL);
        }
        let timeout = Timespec::try_from(POLL_INTERVAL).unwrap_or_default();
        let mut events = [PollFd::new(&self.reader, PollFlags::IN)];
        let _ = poll(&mut events, Some(&timeout));
        self.read_some();
    }

    /// Reads part of what is in the pipe. Returns false if there was nothing.
    fn read_some(&mut self) -> bool {
        let mut part = [0; 1 << 16];
        match self.reader.read(&mut part) {
            Ok(0) => self.open = false,
            Ok(count) => {
                let room = MAX_OUTPUT - self.output.len();
                self.output.extend_from_slice(&part[..count.min(room)]);
                return true;
            }
            Err(_) => {}
        }
        false
    }

    /// The beginning of all output of processes that have ended.
    fn finish(&mut self) -> String {
        while self.output.len() < MAX_OUTPUT && self.read_some() {}
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

/// Lowers the priority of this thread and of the processes that it starts.
#[cfg(target_os = "linux")]
fn lower_priority() {
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "the compiler keeps its priority");
    }
}

/// On other systems the priority would be that of the whole program.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(target_os = "linux")]
fn limit_resources(child: &Child, limits: &CompileLimits) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let bounds = [
        (Resource::As, limits.memory),
        (Resource::Cpu, 2 * limits.time.as_secs().max(1)),
        (Resource::Core, 0),
    ];
    for (resource, bound) in bounds {
        let limit = Rlimit {
            current: Some(bound),
            maximum: Some(bound),
        };
        if let Err(error) = prlimit(Some(Pid::from_child(child)), resource, limit) {
            tracing::warn!(?resource, %error, "the compiler runs without this limit");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_resources(_: &Child, _: &CompileLimits) {}
