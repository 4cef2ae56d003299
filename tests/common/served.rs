//! A player on the network as a process of its own.

use super::process::TestChild;
use gdl_network::protocol::client::{Address, ask};
use gdl_network::protocol::message::Message;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long to wait for something that takes only a moment on an idle machine.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// `gdl serve` on a free port, with folders of its own; ended when dropped.
pub struct Served {
    child: TestChild,
    pub address: Address,
    /// Its records of matches.
    pub records: TempDir,
    _cache: TempDir,
    events: Receiver<Value>,
    log: Option<std::thread::JoinHandle<String>>,
}

impl Served {
    /// Starts a player with these arguments.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |_| {})
    }

    /// Starts a player with these arguments, after `change` has adjusted the command.
    pub fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        Self::start_program(env!("CARGO_BIN_EXE_gdl").as_ref(), arguments, change)
    }

    /// Starts another program that has a `serve` command.
    pub fn start_program(
        program: &Path,
        arguments: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Self {
        let folder = || tempfile::tempdir().expect("temporary folders can be made");
        let (records, cache) = (folder(), folder());
        let mut command = Command::new(program);
        command
            .args([
                "serve",
                "--port",
                "0",
                "--listen",
                "127.0.0.1",
                "--json",
                "--folder",
            ])
            .arg(records.path())
            .args(arguments)
            .env("GDL_CACHE", cache.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        change(&mut command);
        let mut child = TestChild(command.spawn().expect("the player can be started"));
        let events = listen(child.0.stdout.take().expect("it is piped"));
        let mut stderr = child.0.stderr.take().expect("it is piped");
        let log = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let first = events
            .recv_timeout(PATIENCE)
            .expect("it says where it listens");
        let address = first["address"].as_str().expect("it has an address");
        Self {
            child,
            address: address.parse().expect("it is an address"),
            records,
            _cache: cache,
            events,
            log: Some(log),
        }
    }

    /// Its process ID.
    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// Sends a message and returns the reply.
    pub fn say(&self, message: &Message) -> String {
        ask(&self.address, "gdl", message, Instant::now() + PATIENCE).expect("it replies")
    }

    /// The next event of this kind; those before it are forgotten.
    pub fn event(&self, kind: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        let mut others = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let event = self.events.recv_timeout(left);
            let event =
                event.unwrap_or_else(|_| panic!("there was no event {kind} after {others:#?}"));
            if event["event"] == kind {
                return event;
            }
            others.push(event);
        }
    }

    /// Waits until a match is played by native code.
    pub fn await_native(&self) {
        let is_native = |event: Value| event["engine"].to_string().contains("native");
        while !is_native(self.event("engine")) {}
    }

    /// Ends it with SIGTERM, as a system that shuts down does; returns its exit code and log.
    pub fn terminate(mut self) -> (Option<i32>, String) {
        self.child.signal("TERM");
        let status = self.child.0.wait().expect("it ends");
        let log = self.log.take().expect("it is asked once");
        (status.code(), log.join().expect("the log was read"))
    }
}

/// Lines of JSON, as they arrive.
fn listen(stdout: std::process::ChildStdout) -> Receiver<Value> {
    let (sender, events) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let event = serde_json::from_str(&line).expect("every line is JSON");
            if sender.send(event).is_err() {
                break;
            }
        }
    });
    events
}
