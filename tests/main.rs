//! The tests of the whole, in one executable, since linking one for every file
//! would take longer than most of them.
//!
//! They run at the same time in one process: what changes or measures the process
//! itself (its memory, its environment) belongs into a child.

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
mod games;
mod host;
mod moving;
mod network;
mod play;
mod random_programs;
mod selection;
mod serve;
mod standalone;
mod uniformity;
mod verify;
mod yardsticks;
