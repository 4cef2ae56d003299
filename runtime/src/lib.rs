//! What compiled games call, and what everyone who runs games shares.

pub mod engine;
pub mod perft;
