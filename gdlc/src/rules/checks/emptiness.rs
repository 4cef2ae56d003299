//! Warning: a rule without a body, or an `or` or `and` without parts.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::syntax::{ConditionSyntax, Statement};

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for statement in &context.description.statements {
        if let Statement::Rule(rule) = statement
            && rule.body.is_empty()
        {
            sink.warning("empty-body", rule.span, "this rule has no body")
                .label("always holds: could be a fact");
        }
        for condition in statement.body() {
            condition.for_each(&mut |condition| match condition {
                ConditionSyntax::Or(parts, span) if parts.is_empty() => {
                    sink.warning("empty-or", *span, "this `or` has no alternatives")
                        .label("never holds, so neither does the rule");
                }
                ConditionSyntax::And(parts, span) if parts.is_empty() => {
                    sink.warning("empty-and", *span, "this `and` has no parts")
                        .label("always holds");
                }
                _ => {}
            });
        }
    }
}
