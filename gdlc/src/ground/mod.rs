//! Grounding: rules to [`GroundProgram`].

mod program;

pub use program::*;
