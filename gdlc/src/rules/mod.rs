//! Rules: a description to a checked [`Program`].
//!
//! Input: the statements as written. Output: a [`Program`] that has all
//! properties that its documentation states, or the errors that prevent it.
//! Every check runs whatever the others found, so that one run reports all
//! errors.

mod checks;
mod dependencies;
mod lower;
mod negations;
mod program;
mod show;
mod split_relations;
mod strata;
mod substitution;

pub(crate) use dependencies::Dependencies;
pub use program::*;
pub use show::{show_rules, show_strata, show_strata_dot};
pub(crate) use substitution::{VariableOrder, replace, substitute};

use crate::diag::{Diagnostic, Sink};
use crate::source::Source;
use crate::syntax;
use negations::Negations;
use split_relations::split_relations;
use std::sync::Arc;

/// The result of checking a rule sheet.
#[derive(Debug)]
pub struct Checked {
    /// The program, unless there are errors.
    pub program: Option<Program>,
    /// Errors and warnings, by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads, lowers and checks a rule sheet.
#[must_use]
pub fn check(source: Arc<Source>) -> Checked {
    let mut sink = Sink::new(source);
    let description = syntax::parse(&mut sink);
    let complete = !sink.has_errors();
    let mut program = lower::lower(&description, &mut sink);
    let dependencies = Dependencies::find(&program);
    strata::assign(&mut program, &dependencies);
    let negations = Negations::find(&program, &dependencies);
    let context = checks::CheckContext {
        description: &description,
        program: &program,
        dependencies: &dependencies,
        negations: &negations,
        complete,
    };
    checks::run(&context, &mut sink);
    let program = (!sink.has_errors()).then(|| {
        split_relations(&mut program, &dependencies, &negations);
        program
    });
    Checked {
        program,
        diagnostics: sink.finish(),
    }
}

/// Recomputes what [`check`] derives about the relations of a program, after changes to
/// its rules that keep it safe and stratified.
pub(crate) fn restratify(program: &mut Program) {
    let dependencies = Dependencies::find(program);
    strata::assign(program, &dependencies);
}
