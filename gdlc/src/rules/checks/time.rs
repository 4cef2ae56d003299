//! Error: a relation that must not depend on the state or on the moves does.
//!
//! `init`, `base` and `input` are the same in every state; `legal`, `goal` and
//! `terminal` must be known before the players move.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::id::IdVec;
use crate::rules::dependencies::Dependency;
use crate::rules::{Atom, Dependence, Keyword, Literal, Program, RelationId, Rule};
use std::iter::successors;

/// The maximum number of steps shown on the path to `true` or `does`.
const MAX_STEPS: usize = 8;

type Paths = IdVec<RelationId, Option<Dependency>>;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let paths_to = |keyword| {
        let target = context.program.keyword(keyword);
        target.map(|target| context.dependencies.paths_to(target))
    };
    let (to_true, to_does) = (paths_to(Keyword::True), paths_to(Keyword::Does));
    for rule in &context.program.rules {
        let allowed = match context.program.relations[rule.head.relation].keyword {
            Some(Keyword::Init | Keyword::Base | Keyword::Input) => Dependence::Static,
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) => Dependence::State,
            _ => continue,
        };
        for (atom, _) in rule.body.iter().filter_map(Literal::atom) {
            let relation = &context.program.relations[atom.relation];
            let paths = match relation.dependence {
                // Already reported: it must not occur in a body at all.
                _ if relation.keyword == Some(Keyword::Next) => continue,
                found if found <= allowed => continue,
                Dependence::Moves => &to_does,
                _ => &to_true,
            };
            report(context.program, rule, atom, paths.as_ref(), sink);
        }
    }
}

fn report(program: &Program, rule: &Rule, atom: &Atom, paths: Option<&Paths>, sink: &mut Sink) {
    let name = |relation| program.relation_name(relation);
    let (what, word) = match program.relations[atom.relation].dependence {
        Dependence::Moves => ("the moves made", "does"),
        _ => ("the state", "true"),
    };
    let head = name(rule.head.relation);
    let message = format!("`{head}` must not depend on {what}");
    let diagnostic = sink.error("depends-on-time", atom.span, message);
    let first = paths.and_then(|paths| paths[atom.relation]);
    match first {
        Some(dependency) => {
            diagnostic.label(format!("`{}` depends on `{word}`", name(dependency.from)))
        }
        None => diagnostic.label(format!("varies with {what}")),
    };
    let path = successors(first, |dependency| {
        paths.and_then(|paths| paths[dependency.to])
    });
    for dependency in path.take(MAX_STEPS) {
        let label = format!(
            "`{}` depends on `{}`",
            name(dependency.from),
            name(dependency.to)
        );
        diagnostic.also(dependency.span, label);
    }
}
