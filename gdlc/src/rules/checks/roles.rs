//! Error: a role that is not a constant. Warning: a role declared twice.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::source::Span;
use crate::syntax::{Statement, TermSyntax};
use std::collections::BTreeMap;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let mut declared: BTreeMap<String, Span> = BTreeMap::new();
    for statement in &context.description.statements {
        let Statement::Fact(fact) = statement else {
            continue;
        };
        if !fact.name.is("role") {
            continue;
        }
        match &fact.args[..] {
            [TermSyntax::Constant(name)] => {
                if let Some(first) = declared.insert(name.folded(), fact.span) {
                    sink.warning(
                        "repeated-role",
                        fact.span,
                        format!("the role `{}` is declared twice", name.text),
                    )
                    .also(first, "first declared here");
                }
            }
            [TermSyntax::Function(_, _, span)] => {
                sink.error("role-name", *span, "a role is named by a constant")
                    .label("not a constant");
            }
            _ => {}
        }
    }
}
