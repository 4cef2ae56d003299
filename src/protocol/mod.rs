//! The GGP protocol: how hosts and players speak, and what is kept of it.

pub mod record;

pub use record::{Clocks, MatchRecord};
