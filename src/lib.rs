//! `gdl`: loads, checks, compiles, plays and measures games.
//!
//! The library behind the `gdl` command. [`commands`] holds the subcommands,
//! one file each; everything they share is a module of its own.

pub mod board;
pub mod commands;
pub mod measure;
pub mod roles;
pub mod screen;
pub mod standalone;
