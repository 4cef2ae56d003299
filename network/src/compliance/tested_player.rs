//! The player that is tried: what can be said to it, well-formed or not.

use super::CheckResult;
use crate::protocol::client::{self, Address, AskError};
use gdl_runtime::kif::normalise;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a host waits where there is nothing to think about.
pub const PROMPT: Duration = Duration::from_secs(1);

/// How long a host waits beyond the play clock.
pub const GRACE: Duration = Duration::from_secs(1);

/// How long a player may hold a connection of which nothing comes.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A player to be tried.
#[derive(Debug)]
pub struct TestedPlayer {
    address: Address,
    /// Start clock and play clock of all matches, in whole seconds.
    clock: Duration,
    matches: AtomicU32,
}

impl TestedPlayer {
    /// The player at an address; it is not asked anything yet.
    #[must_use]
    pub fn new(address: Address, clock: Duration) -> Self {
        Self {
            address,
            clock,
            matches: AtomicU32::new(0),
        }
    }

    /// Whether anybody listens.
    ///
    /// # Errors
    /// Why there is no connection.
    pub fn reach(&self) -> Result<(), AskError> {
        client::connect(&self.address, Instant::now() + PATIENCE).map(drop)
    }

    /// Start clock and play clock of all matches.
    #[must_use]
    pub fn clock(&self) -> Duration {
        self.clock
    }

    /// A name for a match that no other has.
    pub(super) fn new_id(&self) -> String {
        let number = self.matches.fetch_add(1, Ordering::Relaxed);
        format!("compliance.{}.{number}", std::process::id())
    }

    /// Posts a message as the base host does.
    pub(super) fn ask(&self, message: &str, within: Duration) -> Result<String, AskError> {
        client::post(&self.address, "player", message, Instant::now() + within)
    }

    /// A connection on which this was sent.
    pub(super) fn send(&self, bytes: &[u8]) -> Result<TcpStream, String> {
        let deadline = Instant::now() + PATIENCE;
        let stream = client::connect(&self.address, deadline).map_err(|error| error.to_string())?;
        send_on(&stream, bytes)?;
        Ok(stream)
    }

    /// What is answered to these bytes; afterwards the host's end is closed, if so
    /// wanted.
    pub(super) fn exchange(&self, bytes: &[u8], close: bool) -> Result<String, String> {
        let stream = self.send(bytes)?;
        if close {
            let shut = stream.shutdown(Shutdown::Write);
            shut.map_err(|error| error.to_string())?;
        }
        reply_on(&stream)
    }

    /// Expects an answer to INFO.
    pub(super) fn info(&self) -> CheckResult {
        let reply = self.ask("( INFO )", PROMPT);
        let reply = reply.map_err(|error| format!("INFO: {error}"))?;
        expect_status(&reply)
    }

    /// Expects an answer, any, or a closed connection, but no silence.
    pub(super) fn takes_note_of(&self, message: &str) -> CheckResult {
        match self.ask(message, self.clock + PATIENCE) {
            Err(AskError::Timeout) => Err(format!("silence after {}", excerpt(message))),
            _ => Ok(()),
        }
    }

    /// Expects one of these words.
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
    sent.map_err(|error| format!("the player takes no more bytes: {error}"))
}

/// Reads the reply on an open connection.
pub fn reply_on(stream: &TcpStream) -> Result<String, String> {
    let reply = client::read_reply(stream, Instant::now() + PATIENCE);
    reply.map_err(|error| error.to_string())
}

/// Expects what INFO is answered with: a name and a status, or, as older players
/// do, a word.
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

/// The beginning of a text, in one line.
pub fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{}`", shown.escape_debug())
}
