//! What must not bring down `gdl serve`: after every fault it answers, plays a
//! match, and holds no more memory, threads, files and processes than before.

mod footprint;
mod short_match;

mod compiler;
mod connections;
mod disk;
mod leaks;
mod messages;
mod rules;
