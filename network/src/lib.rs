//! The GGP protocol: a player, a host and a compliance suite.

pub mod compliance;
pub mod host;
pub mod protocol;
pub mod serve;
