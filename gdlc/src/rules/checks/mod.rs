//! The checks, one a file: each looks at everything and reports what it finds.
//!
//! None relies on another having passed, and none changes anything. Those that
//! would mistake a statement that could not be read for one that is missing
//! run only when everything could be read.

mod arities;
mod bodies;
mod capitals;
mod emptiness;
mod fluents;
mod heads;
mod keyword_arities;
mod missing;
mod namesakes;
mod negation;
mod players;
mod recursion;
mod reserved_words;
mod roles;
mod safety;
mod stratification;
mod time;
mod unused;

use super::Program;
use super::dependencies::Dependencies;
use super::negations::Negations;
use crate::diag::Sink;
use crate::syntax::Description;

/// What the checks look at: the same rule sheet in three forms.
pub struct CheckContext<'a> {
    /// As written.
    pub description: &'a Description,
    /// As lowered; what could not be lowered is missing.
    pub program: &'a Program,
    /// Which relations of the program depend on which.
    pub dependencies: &'a Dependencies,
    /// The negations that might close a cycle.
    pub negations: &'a Negations,
    /// Whether every statement of the text is there.
    pub complete: bool,
}

type RuleCheck = fn(&CheckContext<'_>, &mut Sink);

const CHECKS: [RuleCheck; 14] = [
    keyword_arities::check,
    reserved_words::check,
    heads::check,
    bodies::check,
    negation::check,
    roles::check,
    safety::check,
    time::check,
    stratification::check,
    recursion::check,
    emptiness::check,
    arities::check,
    namesakes::check,
    capitals::check,
];

const CHECKS_OF_THE_WHOLE: [RuleCheck; 4] = [
    missing::check,
    players::check,
    unused::check,
    fluents::check,
];

/// Runs every check.
pub fn run(context: &CheckContext<'_>, sink: &mut Sink) {
    for check in CHECKS {
        check(context, sink);
    }
    if context.complete {
        for check in CHECKS_OF_THE_WHOLE {
            check(context, sink);
        }
    }
}
