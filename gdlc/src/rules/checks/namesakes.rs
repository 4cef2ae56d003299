//! Warning: a name that is both a relation and a function. Most often a `true` is
//! missing around a fluent.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::is_reserved;
use crate::source::Span;
use crate::syntax::{Statement, TermSyntax};
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::sync::Arc;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let mut relations: IndexMap<String, Vec<Span>> = IndexMap::new();
    context.description.for_each_atom(&mut |atom| {
        if !atom.args.is_empty() {
            let places = relations.entry(atom.name.folded()).or_default();
            places.push(atom.span);
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
        let Some(places) = relations.get(folded) else {
            continue;
        };
        if is_reserved(name) {
            continue;
        }
        let source = Arc::clone(sink.source());
        let warning = sink.warning(
            "relation-and-function",
            places[0],
            format!("`{name}` is both a relation and a function"),
        );
        warning
            .label("a relation here")
            .also(*span, "a function here")
            .note("a fluent holds as `(true …)`, not by itself");
        if !derived.contains(folded) {
            let meant = |&atom: &Span| (atom, format!("(true {})", atom.text(&source)));
            warning.fix(places.iter().map(meant));
        }
    }
}
