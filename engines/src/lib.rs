//! Engines that run games: the reference interpreter, the propnet and native code.

pub mod engines;
pub mod input;
pub mod native;
pub mod replay;
pub mod trace;
