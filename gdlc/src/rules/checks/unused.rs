//! Warning: a relation that is used but never derived, or derived but never used.

use super::CheckContext;
use crate::diag::Sink;
use crate::id::IdVec;
use crate::rules::{Literal, RelationId, is_reserved};
use crate::source::Span;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let program = context.program;
    let mut derived: IdVec<RelationId, Option<Span>> = IdVec::filled(None, program.relations.len());
    let mut used = derived.clone();
    for rule in &program.rules {
        derived[rule.head.relation].get_or_insert(rule.head.span);
        for (atom, _) in rule.body.iter().filter_map(Literal::atom) {
            used[atom.relation].get_or_insert(atom.span);
        }
    }
    for id in program.relations.ids() {
        let name = program.relation_name(id);
        if is_reserved(&name) {
            continue;
        }
        match (derived[id], used[id]) {
            (None, Some(span)) => sink
                .warning("never-derived", span, format!("nothing derives `{name}`"))
                .label("never holds"),
            (Some(span), None) => sink
                .warning("never-used", span, format!("`{name}` is never used"))
                .label("derived here"),
            _ => continue,
        };
    }
}
