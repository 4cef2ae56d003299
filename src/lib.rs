//! The library behind the `gdl` command, which loads, checks, compiles, plays, hosts and
//! measures games written in the Game Description Language.
//!
//! The command is a thin layer over the other crates: each module of [`commands`] parses
//! the arguments of one subcommand and prints its results. What several subcommands share
//! is here too: matches at the terminal ([`screen`]), roles given by name or number
//! ([`roles`]), and the measurements of `gdl bench` ([`measure`]). [`standalone`] makes the
//! executables of `gdl build`.
//!
//! To compile, run or play games from another program, depend on `gdlc`, `gdl-engines`,
//! `gdl-agent`, `gdl-boards` or `gdl-network` instead.

pub mod commands;
pub mod measure;
pub mod roles;
pub mod screen;
mod seeds;
pub mod standalone;
