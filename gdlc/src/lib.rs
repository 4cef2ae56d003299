//! The compiler.

pub mod ground;
pub mod id;
pub mod rules;
pub mod source;
