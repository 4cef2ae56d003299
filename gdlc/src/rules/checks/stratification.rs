//! Error: a relation that depends on its own negation. Warning: one that does so
//! by name, but not if the arguments are considered.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::negations::Link;
use crate::rules::{Atom, RelationId};

/// The maximum number of steps of a cycle shown.
const MAX_STEPS: usize = 12;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for cycle in &context.negations.cycles {
        report_cycle(context, cycle, sink);
    }
    for link in &context.negations.apart {
        let Some((head, atom)) = ends(context, *link) else {
            continue;
        };
        let (head, negated) = (name(context, head), name(context, atom.relation));
        sink.warning(
            "stratified-by-arguments",
            atom.span,
            format!("`{head}` and the negation of `{negated}` depend on each other by name"),
        )
        .label("only the arguments prevent a cycle");
    }
}

fn report_cycle(context: &CheckContext<'_>, cycle: &[Link], sink: &mut Sink) {
    let Some((head, negated)) = cycle.first().and_then(|link| ends(context, *link)) else {
        return;
    };
    let mut names = vec![
        name(context, head),
        format!("not {}", name(context, negated.relation)),
    ];
    let diagnostic = sink.error(
        "unstratified",
        negated.span,
        format!("`{}` depends on its own negation", names[0]),
    );
    diagnostic.label(format!(
        "`{}` depends on the negation of `{}`",
        names[0],
        name(context, negated.relation)
    ));
    for (from, atom) in cycle[1..].iter().filter_map(|link| ends(context, *link)) {
        let to = name(context, atom.relation);
        if names.len() <= MAX_STEPS {
            let label = format!("`{}` depends on `{to}`", name(context, from));
            diagnostic.also(atom.span, label);
        }
        names.push(to);
    }
    if let Some(hidden @ 1..) = names.len().checked_sub(MAX_STEPS) {
        let middle = MAX_STEPS / 2;
        names.splice(middle..middle + hidden, [format!("({hidden} more)")]);
    }
    diagnostic.note(format!("the cycle: {}", names.join(" -> ")));
}

/// The relation of the rule's head and the atom of the literal.
fn ends<'a>(context: &CheckContext<'a>, link: Link) -> Option<(RelationId, &'a Atom)> {
    let rule = &context.program.rules[link.rule];
    let (atom, _) = rule.body[link.literal].atom()?;
    Some((rule.head.relation, atom))
}

fn name(context: &CheckContext<'_>, relation: RelationId) -> String {
    context.program.relation_name(relation)
}
