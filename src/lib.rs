//! The library behind the `gdl` command, which loads, checks, compiles, plays, hosts and
//! measures games written in the Game Description Language.
//!
//! The command is a thin layer over the other crates: [`commands`] parses the arguments
//! of one subcommand per module and prints results. What several subcommands need is
//! here too: a match at the terminal ([`screen`]),
//! roles as people name them ([`roles`]), and the measurements of `gdl bench`
//! ([`measure`]). [`standalone`] makes the executables of `gdl build`.
//!
//! To compile, run or play games from another program, depend on `gdlc`, `gdl-engines`,
//! `gdl-agent`, `gdl-boards` or `gdl-network` instead.

pub mod commands;
pub mod measure;
pub mod roles;
pub mod screen;
pub mod standalone;
