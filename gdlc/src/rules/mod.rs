//! Rules: a description to a checked [`Program`].

mod program;

pub use program::*;
