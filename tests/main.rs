//! The integration tests, in one executable: linking one per file would take longer than
//! running most of them.
//!
//! They run in parallel in one process. A test that changes or measures the process
//! (its memory, its environment) must do so in a child process.

mod agents;
mod bench;
mod cached_games;
mod check;
mod child_compiler;
mod cli;
mod common;
mod compliance;
mod contest;
mod corpus;
mod embedded;
mod engines;
mod experiments;
mod faults;
mod fmt;
mod games;
mod goal_conditions;
mod host;
mod learn;
mod levels;
mod lsp;
mod moving;
mod network;
mod play;
mod random_programs;
mod reachability;
mod selection;
mod serve;
mod show_board;
mod solved_positions;
mod standalone;
mod structure;
mod symmetries;
mod uniformity;
mod verify;
mod yardsticks;
