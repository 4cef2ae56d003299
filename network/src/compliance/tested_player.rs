//! The player under test: sends messages to it, well-formed or not, and checks its
//! replies.

use super::CheckResult;
use crate::protocol::client::{self, Address, AskError};
use gdl_runtime::kif::normalise;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a host waits for a reply that takes no thought.
pub const PROMPT: Duration = Duration::from_secs(1);

/// How long a host waits beyond the play clock.
pub const GRACE: Duration = Duration::from_secs(1);

/// How long a player may keep a connection open on which nothing arrives.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A player under test.
#[derive(Debug)]
pub struct TestedPlayer {
    address: Address,
    /// The start clock and play clock of all matches, in whole seconds.
    clock: Duration,
    matches: AtomicU32,
}

impl TestedPlayer {
    /// The player at an address, to be tested in matches with the given start clock and
    /// play clock. Nothing is sent yet.
    #[must_use]
    pub fn new(address: Address, clock: Duration) -> Self {
        Self {
            address,
            clock,
            matches: AtomicU32::new(0),
        }
    }

    /// Checks that the player can be connected to.
    ///
    /// # Errors
    /// If it cannot.
    pub fn reach(&self) -> Result<(), AskError> {
        client::connect(&self.address, Instant::now() + PATIENCE).map(drop)
    }

    /// The start clock and play clock of all matches.
    #[must_use]
    pub fn clock(&self) -> Duration {
        self.clock
    }

    /// A unique name for a match.
    pub(super) fn new_id(&self) -> String {
        let number = self.matches.fetch_add(1, Ordering::Relaxed);
        format!("compliance.{}.{number}", std::process::id())
    }

    /// Sends a message in the way the host of ggp-base does, and returns the reply.
    pub(super) fn ask(&self, message: &str, within: Duration) -> Result<String, AskError> {
        client::post(&self.address, "player", message, Instant::now() + within)
    }

    /// Opens a connection and sends bytes on it.
    pub(super) fn send(&self, bytes: &[u8]) -> Result<TcpStream, String> {
        let deadline = Instant::now() + PATIENCE;
        let stream = client::connect(&self.address, deadline).map_err(|error| error.to_string())?;
        send_on(&stream, bytes)?;
        Ok(stream)
    }

    /// Sends bytes, closes the host's end if `close` is set, and returns the reply.
    pub(super) fn exchange(&self, bytes: &[u8], close: bool) -> Result<String, String> {
        let stream = self.send(bytes)?;
        if close {
            let shut = stream.shutdown(Shutdown::Write);
            shut.map_err(|error| error.to_string())?;
        }
        reply_on(&stream)
    }

    /// Expects a proper reply to INFO.
    pub(super) fn info(&self) -> CheckResult {
        let reply = self.ask("( INFO )", PROMPT);
        let reply = reply.map_err(|error| format!("INFO: {error}"))?;
        expect_status(&reply)
    }

    /// Expects a reply or a closed connection, but not silence.
    pub(super) fn reacts_to(&self, message: &str) -> CheckResult {
        match self.ask(message, self.clock + PATIENCE) {
            Err(AskError::Timeout) => Err(format!("no reaction to {}", excerpt(message))),
            _ => Ok(()),
        }
    }

    /// Expects one of these words as the reply to a message.
    pub(super) fn answers(&self, message: &str, within: Duration, words: &[&str]) -> CheckResult {
        let called = || excerpt(message);
        let reply = self.ask(message, within);
        let reply = reply.map_err(|error| format!("{}: {error}", called()))?;
        if words.contains(&normalise(&reply).as_str()) {
            return Ok(());
        }
        let (words, reply) = (words.join(" or "), excerpt(&reply));
        Err(format!("{}: expected {words}, not {reply}", called()))
    }
}

/// Sends bytes on an open connection.
pub fn send_on(stream: &TcpStream, bytes: &[u8]) -> Result<(), String> {
    let deadline = Instant::now() + PATIENCE;
    let sent = crate::protocol::stream::send(stream, bytes, deadline);
    sent.map_err(|error| format!("the player accepts no more bytes: {error}"))
}

/// Reads the reply on an open connection.
pub fn reply_on(stream: &TcpStream) -> Result<String, String> {
    let reply = client::read_reply(stream, Instant::now() + PATIENCE);
    reply.map_err(|error| error.to_string())
}

/// Expects a proper reply to INFO: a name and a status or, as from older players, a
/// single word.
pub fn expect_status(reply: &str) -> CheckResult {
    let text = normalise(reply);
    let is_word = !text.is_empty() && !text.contains([' ', '(', ')']);
    let has_status = ["(status available)", "(status busy)"]
        .iter()
        .any(|status| text.contains(status));
    if is_word || (has_status && text.contains("(name ")) {
        return Ok(());
    }
    let reply = excerpt(reply);
    Err(format!("INFO: expected a name and a status, not {reply}"))
}

/// The beginning of a text, quoted on one line.
pub fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{}`", shown.escape_debug())
}
