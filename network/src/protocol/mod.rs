//! The protocol of general game playing: a host speaks, players answer.
//!
//! A player is an HTTP server; a host opens a connection for every message and
//! reads one reply from it. Messages are KIF ([`message`]); [`http`] is the
//! player's end of a connection, [`client`] the host's. Whatever arrives is
//! bounded in bytes, and every step in time by an absolute deadline, so that a
//! peer that sends a byte a second holds nobody. [`record`] is what is kept of a
//! match.

pub(crate) mod balance;
pub mod client;
pub mod http;
pub mod message;
pub mod record;
pub(crate) mod stream;
#[cfg(test)]
mod tests;

pub use record::{Clocks, MatchRecord};
