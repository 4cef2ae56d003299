//! Children that are kept on a short lead: what they may take is bounded, and
//! nothing of them is left when they have ended.
//!
//! A child runs from a thread of its own, so that what the thread gives up, and the
//! child with it, nobody else has to. Should this program be killed, a child goes
//! on until it is done or its processor time is: nothing else would end it.

use super::failure::Failure;
use super::sandbox::leave_network;
use anyhow::Context as _;
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

/// What a compilation may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time of each of its steps; a step may take twice as much of all
    /// processors together.
    pub time: Duration,
    /// Bytes of memory that may be mapped: about twice what is used in fact.
    pub memory: u64,
    /// Whether somebody has better things to do meanwhile: then it gets only what
    /// processors have left over, and what it starts ends with it.
    pub background: bool,
}

impl Limits {
    /// For a compilation that somebody waits for; it ends with its terminal.
    pub const FOREGROUND: Self = Self {
        time: Duration::from_secs(600),
        memory: 16 << 30,
        background: false,
    };

    /// For a compilation beside a match.
    pub const BACKGROUND: Self = Self {
        time: Duration::from_secs(600),
        memory: 6 << 30,
        background: true,
    };
}

/// Whether this program is about to end.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Whether a compilation is called off, by itself or with all others.
pub(super) fn is_called_off(cancel: &StopFlag) -> bool {
    cancel.is_raised() || LEAVING.load(Ordering::Relaxed)
}

/// How many compilations are under way.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// Calls off all compilations of a program that is about to end, also those that
/// have yet to begin, and waits until nothing is left of them, but not for longer.
/// Without that, children in the background would outlive it.
pub fn call_all_off(longest: Duration) {
    LEAVING.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + longest;
    while AT_WORK.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
        thread::sleep(NAP);
    }
}

/// A compilation that is under way, until it is dropped.
pub(super) struct AtWork(());

impl AtWork {
    pub(super) fn begin() -> Self {
        AT_WORK.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What is listened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Errors,
}

/// A child that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    /// The beginning of what it said.
    pub(super) said: String,
}

/// How long children are left to themselves.
pub(super) const NAP: Duration = Duration::from_millis(10);

/// Of what a child says, so many bytes are kept.
const MOST_SAID: usize = 4000;

/// How long the last of a child's own children are waited for, once killed.
const AGONY: Duration = Duration::from_millis(500);

/// Priority of what runs in the background: a tenth of what a search on the same
/// processor has. The lowest of all would be a hundredth, and no game compiled
/// before it is over where searches take all processors.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Runs a child to its end.
///
/// # Errors
/// [`Failure`] if it was called off or took too long; otherwise if it cannot be
/// started.
pub(super) fn run(
    command: &mut Command,
    stream: Stream,
    limits: &Limits,
    cancel: &StopFlag,
) -> anyhow::Result<Ended> {
    thread::scope(|scope| {
        let child = || {
            leave_network();
            Running::start(command, stream, limits)?.attend(limits, cancel)
        };
        let thread = thread::Builder::new().name("compiler".to_owned());
        let thread = thread.spawn_scoped(scope, child);
        let thread = thread.context("there is no thread for a child")?;
        thread
            .join()
            .unwrap_or_else(|_| Err(anyhow::anyhow!("the thread of a child ended unexpectedly")))
    })
}

/// A child that has not been waited for; it is killed where nobody does.
struct Running {
    child: Child,
    /// The group of the child and its own children, if that is not ours.
    group: Option<Pid>,
    pipe: Pipe,
}

impl Running {
    /// Starts a child from a thread that does nothing else.
    fn start(command: &mut Command, stream: Stream, limits: &Limits) -> anyhow::Result<Self> {
        let (pipe, end) = Pipe::new().context("cannot listen to a child")?;
        command.stdin(Stdio::null());
        match stream {
            Stream::Output => command.stdout(end).stderr(Stdio::null()),
            Stream::Errors => command.stdout(Stdio::null()).stderr(end),
        };
        if limits.background {
            command.process_group(0);
            lower_priority();
        }
        let child = command.spawn().context("cannot start a child");
        // Or the end that the command has would keep the pipe open.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = child?;
        limit_resources(&child, limits);
        Ok(Self {
            group: limits.background.then(|| Pid::from_child(&child)),
            child,
            pipe,
        })
    }

    /// Listens until the child ends, or has to.
    fn attend(mut self, limits: &Limits, cancel: &StopFlag) -> anyhow::Result<Ended> {
        let deadline = Instant::now() + limits.time;
        while !self.has_ended()? {
            if is_called_off(cancel) {
                return Err(Failure::Cancelled.into());
            }
            if Instant::now() >= deadline {
                return Err(Failure::TooLong(limits.time).into());
            }
            self.pipe.listen();
        }
        self.kill_group();
        let status = self.child.wait().context("cannot wait for the compiler")?;
        Ok(Ended {
            status,
            said: self.pipe.finish(),
        })
    }

    /// Whether the child has ended; it stays there, and its number with it, so
    /// that its group is its own until it is waited for.
    fn has_ended(&self) -> anyhow::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let child = WaitId::Pid(Pid::from_child(&self.child));
        match waitid(child, options) {
            Ok(status) => Ok(status.is_some()),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error).context("cannot wait for the compiler"),
        }
    }

    fn kill_group(&self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill_group();
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        // They may be about to write where somebody is about to clear up.
        let deadline = Instant::now() + AGONY;
        while let Some(group) = self.group
            && test_kill_process_group(group).is_ok()
            && Instant::now() < deadline
        {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What a child says. Whatever it is and however much, the child can write it,
/// and little of it is kept.
struct Pipe {
    end: PipeReader,
    open: bool,
    said: Vec<u8>,
}

impl Pipe {
    fn new() -> io::Result<(Self, PipeWriter)> {
        let (end, other) = io::pipe()?;
        fcntl_setfl(&end, OFlags::NONBLOCK)?;
        let said = Vec::new();
        let open = true;
        Ok((Self { end, open, said }, other))
    }

    /// Waits for something to be said, or a while, and hears it.
    fn listen(&mut self) {
        if !self.open {
            return thread::sleep(NAP);
        }
        let nap = Timespec::try_from(NAP).unwrap_or_default();
        let _ = poll(&mut [PollFd::new(&self.end, PollFlags::IN)], Some(&nap));
        self.hear();
    }

    /// Takes a part of what lies in the pipe. False if there was nothing.
    fn hear(&mut self) -> bool {
        let mut part = [0; 1 << 16];
        match self.end.read(&mut part) {
            Ok(0) => self.open = false,
            Ok(count) => {
                let room = MOST_SAID - self.said.len();
                self.said.extend_from_slice(&part[..count.min(room)]);
                return true;
            }
            Err(_) => {}
        }
        false
    }

    /// The beginning of all that was said by those that have ended.
    fn finish(&mut self) -> String {
        while self.said.len() < MOST_SAID && self.hear() {}
        String::from_utf8_lossy(&self.said).into_owned()
    }
}

/// Lowers the priority of this thread and of what it starts.
#[cfg(target_os = "linux")]
fn lower_priority() {
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "the compiler keeps its priority");
    }
}

/// Elsewhere that would be the whole program's.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(target_os = "linux")]
fn limit_resources(child: &Child, limits: &Limits) {
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
fn limit_resources(_: &Child, _: &Limits) {}
