//! The checks, one per file: each looks at everything and reports what it finds.
//!
//! No check relies on another having passed, and none changes anything.
//!
//! To add a check:
//! 1. Write `checks/<name>.rs`, which has a function
//!    `check(context: &CheckContext<'_>, sink: &mut Sink)`.
//! 2. Add `mod <name>;` below, and `<name>::check` to [`CHECKS`]; or to
//!    [`CHECKS_OF_THE_WHOLE`] if the check would mistake a statement that could
//!    not be read for one that is missing.
//! 3. Add a case with the rendered diagnostic to `gdlc/tests/diagnostics`, which
//!    `UPDATE_EXPECT=1` fills in.

mod arities;
mod bodies;
mod capitals;
mod context;
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

pub use context::CheckContext;

use crate::diag::Sink;

type RuleCheck = fn(&CheckContext<'_>, &mut Sink);

/// Run on every rule sheet.
const CHECKS: &[RuleCheck] = &[
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

/// Run only if every statement could be read.
const CHECKS_OF_THE_WHOLE: &[RuleCheck] = &[
    missing::check,
    players::check,
    unused::check,
    fluents::check,
];

/// Runs all checks.
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
