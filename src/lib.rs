//! The library behind the `gdl` command, which loads, checks, compiles, plays, hosts and
//! measures games written in the Game Description Language.
//!
//! The command is a thin layer over the other crates: [`commands`] parses the arguments
//! of one subcommand per module and prints results. What several subcommands need is
//! here too: states drawn as boards ([`board`]), a match at the terminal ([`screen`]),
//! roles as people name them ([`roles`]), and the measurements of `gdl bench`
//! ([`measure`]). [`standalone`] makes the executables of `gdl build`.
//!
//! To compile, run or play games from another program, depend on `gdlc`, `gdl-engines`,
//! `gdl-agent` or `gdl-network` instead.
//!
//! ```
//! use gdl_cli::board::Boards;
//!
//! let facts = ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 b)"];
//! let facts: Vec<String> = facts.map(str::to_owned).to_vec();
//! let boards = Boards::find(std::slice::from_ref(&facts));
//! assert_eq!(boards.show(&facts), "2  . .\n1  x .\n   1 2\n");
//! ```

pub mod board;
pub mod commands;
pub mod measure;
pub mod roles;
pub mod screen;
pub mod standalone;
