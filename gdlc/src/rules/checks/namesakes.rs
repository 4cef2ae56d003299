//! Warning: a name that is both a relation and a function. Most often a `true` is
//! missing around a fluent.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::is_reserved;
use crate::source::Span;
use crate::syntax::{Statement, TermSyntax};
use indexmap::IndexMap;
use std::collections::BTreeSet;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let mut relations: IndexMap<String, Span> = IndexMap::new();
    context.description.for_each_atom(&mut |atom| {
        if !atom.args.is_empty() {
            relations.entry(atom.name.folded()).or_insert(atom.span);
        }
    });
    let mut functions: IndexMap<String, (&str, Span)> = IndexMap::new();
    context.description.for_each_term(&mut |term| {
        term.for_each(&mut |term| {
            if let TermSyntax::Function(name, _, span) = term {
                functions
                    .entry(name.folded())
                    .or_insert((&name.text, *span));
            }
        });
    });
    let heads = context.description.statements.iter().map(Statement::head);
    let derived: BTreeSet<String> = heads.map(|head| head.name.folded()).collect();
    for (folded, (name, span)) in &functions {
        let Some(&relation) = relations.get(folded) else {
            continue;
        };
        if is_reserved(name) {
            continue;
        }
        let atom = relation.text(sink.source()).to_owned();
        let warning = sink.warning(
            "relation-and-function",
            relation,
            format!("`{name}` is both a relation and a function"),
        );
        warning
            .label("a relation here")
            .also(*span, "a function here")
            .note("a fluent holds as `(true …)`, not by itself");
        if !derived.contains(folded) {
            warning.fix(vec![relation], format!("(true {atom})"));
        }
    }
}
