//! The compiler.

pub mod build;
pub mod cancel;
pub mod compile;
pub mod diag;
pub mod emit;
pub mod ground;
pub mod id;
pub mod net;
pub mod plan;
pub mod reference;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod x86;
