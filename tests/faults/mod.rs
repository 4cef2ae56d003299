//! Faults that must not bring down `gdl serve`: after each of them it answers, plays a
//! match, and uses no more memory, threads, files and processes than before.
#![cfg(target_os = "linux")]

mod footprint;
mod short_match;

mod compiler;
mod connections;
mod disk;
mod leaks;
mod messages;
mod rules;
