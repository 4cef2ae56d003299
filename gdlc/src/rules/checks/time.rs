//! Error: what must not depend on the state or on the moves does.
//!
//! `init`, `base` and `input` are the same in every state; `legal`, `goal` and
//! `terminal` must be known before anybody moves.

use super::Subject;
use crate::diag::Sink;
use crate::id::IdVec;
use crate::rules::dependencies::Step;
use crate::rules::{Atom, Dependence, Keyword, Literal, Program, RelationId, Rule};
use std::iter::successors;

/// More steps on the way to `true` or `does` than that are not shown.
const MAX_STEPS: usize = 8;

type Ways = IdVec<RelationId, Option<Step>>;

pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    let ways_to = |keyword| {
        let target = subject.program.keyword(keyword);
        target.map(|target| subject.dependencies.ways_to(target))
    };
    let (to_true, to_does) = (ways_to(Keyword::True), ways_to(Keyword::Does));
    for rule in &subject.program.rules {
        let allowed = match subject.program.relations[rule.head.relation].keyword {
            Some(Keyword::Init | Keyword::Base | Keyword::Input) => Dependence::Static,
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) => Dependence::State,
            _ => continue,
        };
        for (atom, _) in rule.body.iter().filter_map(Literal::atom) {
            let relation = &subject.program.relations[atom.relation];
            let ways = match relation.dependence {
                // Reported for standing in a body at all.
                _ if relation.keyword == Some(Keyword::Next) => continue,
                found if found <= allowed => continue,
                Dependence::Moves => &to_does,
                _ => &to_true,
            };
            report(subject.program, rule, atom, ways.as_ref(), sink);
        }
    }
}

fn report(program: &Program, rule: &Rule, atom: &Atom, ways: Option<&Ways>, sink: &mut Sink) {
    let name = |relation| program.relation_name(relation);
    let (what, word) = match program.relations[atom.relation].dependence {
        Dependence::Moves => ("the moves made", "does"),
        _ => ("the state", "true"),
    };
    let head = name(rule.head.relation);
    let message = format!("`{head}` must not depend on {what}");
    let diagnostic = sink.error("depends-on-time", atom.span, message);
    let first = ways.and_then(|ways| ways[atom.relation]);
    match first {
        Some(step) => diagnostic.label(format!("`{}` depends on `{word}`", name(step.from))),
        None => diagnostic.label(format!("varies with {what}")),
    };
    let way = successors(first, |step| ways.and_then(|ways| ways[step.to]));
    for step in way.take(MAX_STEPS) {
        let label = format!("`{}` depends on `{}`", name(step.from), name(step.to));
        diagnostic.also(step.span, label);
    }
}
