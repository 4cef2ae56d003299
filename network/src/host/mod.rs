//! Hosting: matches between players that speak the GGP protocol and agents of our
//! own.
//!
//! In: a game, its rule sheet as a text, and a [`Seat`] a role. Out: a
//! [`Hosted`] match. All seats are asked at the same time and have until an
//! absolute deadline; whatever a player does, the match goes on, with a random
//! legal move in place of an answer that is late, missing or illegal.

pub mod clocks;
mod contender;
mod interrupt;
mod local;
mod names;
mod remote;
mod round;
mod scramble;
mod seat;
mod table;
#[cfg(test)]
mod tests;

pub use contender::{Contender, Place};
pub use interrupt::Interrupt;
pub use local::Local;
pub use names::names;
pub use remote::Remote;
pub use scramble::Scramble;
pub use seat::{Answer, Fault, Opening, Seat, Turn};
pub use table::{Hosted, Table, Watch};
