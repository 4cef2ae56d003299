//! Warning: a rule without a body, an `or` or `and` without parts.

use super::Subject;
use crate::diag::Sink;
use crate::syntax::{Condition, Statement};

pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    for statement in &subject.description.statements {
        if let Statement::Rule(rule) = statement
            && rule.body.is_empty()
        {
            sink.warning("empty-body", rule.span, "this rule has no body")
                .label("always holds: could be a fact");
        }
        for condition in statement.body() {
            condition.for_each(&mut |condition| match condition {
                Condition::Or(parts, span) if parts.is_empty() => {
                    sink.warning("empty-or", *span, "this `or` has no alternatives")
                        .label("never holds, and neither does the rule");
                }
                Condition::And(parts, span) if parts.is_empty() => {
                    sink.warning("empty-and", *span, "this `and` has no parts")
                        .label("always holds");
                }
                _ => {}
            });
        }
    }
}
