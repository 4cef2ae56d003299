//! Error: `not` of anything but an atom.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::syntax::ConditionSyntax;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for statement in &context.description.statements {
        for condition in statement.body() {
            condition.for_each(&mut |condition| {
                let ConditionSyntax::Not(inner, _) = condition else {
                    return;
                };
                let (word, advice) = match **inner {
                    ConditionSyntax::Atom(_) => return,
                    ConditionSyntax::Distinct(..) => (
                        "distinct",
                        "the terms are equal then: write one in place of the other",
                    ),
                    ConditionSyntax::Not(..) => ("not", "two `not` cancel out: leave out both"),
                    ConditionSyntax::And(..) => ("and", "use an `or` of `not`s, or a relation"),
                    ConditionSyntax::Or(..) => ("or", "use several `not`s, or a relation"),
                };
                sink.error(
                    "negated-compound",
                    inner.span(),
                    format!("`not` applies to an atom, not to `{word}`"),
                )
                .label(advice);
            });
        }
    }
}
