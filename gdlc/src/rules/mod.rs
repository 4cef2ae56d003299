//! Rules: a description to a checked [`Program`].
//!
//! In: the statements as written. Out: a [`Program`] with everything that its
//! documentation promises, or the errors that prevent it. Every check runs
//! whatever the others found, so that one run reports everything.

mod dependencies;
mod lower;
mod program;
mod strata;

pub use program::*;

use crate::diag::{Diagnostic, Sink};
use crate::source::Source;
use crate::syntax;
use dependencies::Dependencies;
use std::sync::Arc;

/// What became of a rule sheet.
#[derive(Debug)]
pub struct Checked {
    /// The program, if there is no error.
    pub program: Option<Program>,
    /// Errors and warnings, by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Takes a rule sheet from text to program.
#[must_use]
pub fn check(source: Arc<Source>) -> Checked {
    let mut sink = Sink::new(source);
    let description = syntax::parse(&mut sink);
    let mut program = lower::lower(&description, &mut sink);
    let dependencies = Dependencies::find(&program);
    strata::assign(&mut program, &dependencies);
    Checked {
        program: (!sink.has_errors()).then_some(program),
        diagnostics: sink.finish(),
    }
}
