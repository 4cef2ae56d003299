//! `gdl`: loads, checks, compiles, plays and measures games.
//!
//! The library behind the `gdl` command. [`commands`] holds the subcommands,
//! one file each; everything they share is a module of its own.

pub mod board;
pub mod commands;
pub mod compliance;
pub mod contest;
pub mod engines;
pub mod host;
pub mod input;
pub mod journal;
pub mod measure;
pub mod moves;
pub mod native;
pub mod protocol;
pub mod replay;
pub mod screen;
pub mod seating;
pub mod serve;
pub mod standalone;
pub mod trace;
