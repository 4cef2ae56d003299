//! Warning: a relation that is used but never derived, or derived but never used.
//!
//! A name that nothing derives is often misspelt: if a word of GDL or a derived
//! relation is one edit away from it, the warning asks whether that was meant.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::id::IdVec;
use crate::rules::{Keyword, Literal, Program, RelationId, is_reserved};
use crate::source::Span;
use crate::syntax::CONNECTIVES;

/// The maximum number of relations for which suggestions are looked for: each is
/// compared with every name, and a hostile text could contain thousands.
const MAX_SUGGESTIONS: usize = 100;

/// Names with fewer characters are one edit away from too many others.
const MIN_LENGTH: usize = 2;

type FirstSpans = IdVec<RelationId, Option<Span>>;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let program = context.program;
    let mut derived: FirstSpans = IdVec::filled(None, program.relations.len());
    let mut used = derived.clone();
    for rule in &program.rules {
        derived[rule.head.relation].get_or_insert(rule.head.span);
        for (atom, _) in rule.body.iter().filter_map(Literal::atom) {
            used[atom.relation].get_or_insert(atom.span);
        }
    }
    let mut suggestions = 0;
    for id in program.relations.ids() {
        let name = program.relation_name(id);
        if is_reserved(&name) {
            continue;
        }
        match (derived[id], used[id]) {
            (None, Some(span)) => {
                let warning = sink
                    .warning("never-derived", span, format!("nothing derives `{name}`"))
                    .label("never holds");
                suggestions += 1;
                if suggestions <= MAX_SUGGESTIONS
                    && let Some(meant) = similar_name(program, id, &derived)
                {
                    let places = occurrences(context, &name, program.relations[id].arity);
                    warning
                        .note(format!("did you mean `{meant}`?"))
                        .fix(places.into_iter().map(|span| (span, meant.clone())));
                }
            }
            (Some(span), None) => {
                sink.warning("never-used", span, format!("`{name}` is never used"))
                    .label("derived here");
            }
            _ => {}
        }
    }
}

/// Where conditions name a relation.
fn occurrences(context: &CheckContext<'_>, name: &str, arity: usize) -> Vec<Span> {
    let folded = name.to_lowercase();
    let mut spans = Vec::new();
    context.description.for_each_body_atom(&mut |atom| {
        if atom.args.len() == arity && atom.name.folded() == folded {
            spans.push(atom.name.span);
        }
    });
    spans
}

/// A word of GDL or a derived relation whose name is one edit away from that of
/// `relation`; of several, the first with the same number of arguments if there is one.
fn similar_name(program: &Program, relation: RelationId, derived: &FirstSpans) -> Option<String> {
    let name = program.relation_name(relation).to_lowercase();
    let arity = program.relations[relation].arity;
    let keywords = Keyword::ALL.map(|keyword| (keyword.word().to_owned(), Some(keyword.arity())));
    let connectives = CONNECTIVES.map(|word| (word.to_owned(), None));
    let relations = (program.relations.iter_ids())
        .filter(|(id, relation)| derived[*id].is_some() && relation.keyword.is_none())
        .map(|(id, relation)| (program.relation_name(id), Some(relation.arity)));
    let candidates = keywords.into_iter().chain(connectives).chain(relations);
    candidates
        .filter(|(candidate, _)| is_one_edit(&name, &candidate.to_lowercase()))
        .min_by_key(|&(_, candidate)| candidate != Some(arity))
        .map(|(candidate, _)| candidate)
}

/// Whether inserting, deleting or replacing one character, or exchanging two
/// neighbours, makes one name of the other.
fn is_one_edit(one: &str, other: &str) -> bool {
    let (length, other_length) = (one.chars().count(), other.chars().count());
    length.min(other_length) >= MIN_LENGTH
        && length.abs_diff(other_length) <= 1
        && strsim::osa_distance(one, other) == 1
}
