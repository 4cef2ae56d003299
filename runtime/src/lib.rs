//! What compiled games call, and what everyone who runs games shares: lane
//! words, exactly uniform choice, random numbers, playouts, and the interface
//! of an engine. It depends on nothing, so that a compiled game builds with
//! rustc alone.

pub mod columns;
pub mod compiled;
pub mod draw;
pub mod engine;
pub mod kif;
pub mod lane_engine;
pub mod lanes;
pub mod layout;
pub mod machine;
pub mod moves;
pub mod perft;
pub mod program;
pub mod random;
pub mod sources;
pub mod stop_flag;
pub mod tables;
