//! The compiler.

pub mod build;
pub mod compile;
pub mod complemented_edge;
pub mod components;
pub mod diag;
pub mod emit;
pub mod ground;
pub mod id;
pub mod plan;
pub mod propnet;
pub mod reference;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod tabulate;
pub mod x86;

/// Identifies the compiler: a digest of its version and its sources, as 16
/// hexadecimal digits. Whatever is derived from emitted code and kept should be
/// keyed by it.
pub const FINGERPRINT: &str = env!("GDLC_FINGERPRINT");
