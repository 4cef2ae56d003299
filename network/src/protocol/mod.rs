//! The GGP protocol: hosts send messages, players reply.
//!
//! A player is an HTTP server; a host opens a connection for every message and
//! reads one reply from it. Messages are KIF ([`message`]); [`http`] is the
//! player's end of a connection, [`client`] the host's. Input is bounded in
//! bytes, and every step has an absolute deadline, so that a peer that sends one
//! byte per second blocks no other. [`record`] is the record of a match.

pub(crate) mod balance;
pub mod client;
mod clock;
pub mod http;
pub mod message;
pub mod record;
pub(crate) mod stream;
#[cfg(test)]
mod tests;

pub use clock::{ClockSeconds, NoClock};
pub use record::{Clocks, MatchRecord};
