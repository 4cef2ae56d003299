//! Contests as text for people.

pub mod cross_table;
pub mod published;
pub mod text;
