//! Error: `not` over anything but an atom.

use super::Subject;
use crate::diag::Sink;
use crate::syntax::Condition;

pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    for statement in &subject.description.statements {
        for condition in statement.body() {
            condition.for_each(&mut |condition| {
                let Condition::Not(inner, _) = condition else {
                    return;
                };
                let (word, advice) = match **inner {
                    Condition::Atom(_) => return,
                    Condition::Distinct(..) => ("distinct", "use one variable for both terms"),
                    Condition::Not(..) => ("not", "two `not` cancel out: leave out both"),
                    Condition::And(..) => ("and", "use an `or` of `not`s, or a relation"),
                    Condition::Or(..) => ("or", "use several `not`s, or a relation"),
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
