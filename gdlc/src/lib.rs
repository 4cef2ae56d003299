//! The compiler.

pub mod diag;
pub mod ground;
pub mod id;
pub mod reference;
pub mod rules;
pub mod source;
pub mod syntax;
