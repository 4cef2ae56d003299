//! Warning: a move or a goal of something that is not a role, most often misspelt;
//! and a goal value that is not a whole number from 0 to 100.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::Keyword;
use crate::syntax::{AtomSyntax, TermSyntax};
use std::collections::BTreeSet;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let roles: BTreeSet<String> = (context.program.roles.iter())
        .map(|&role| context.program.symbols[role].to_lowercase())
        .collect();
    context.description.for_each_atom(&mut |atom| {
        let keyword = Keyword::from_word(&atom.name.text);
        if keyword.is_none_or(|keyword| keyword.arity() != 2) {
            return;
        }
        if let Some(TermSyntax::Constant(name)) = atom.args.first()
            && !roles.contains(&name.folded())
        {
            sink.warning(
                "unknown-role",
                name.span,
                format!("there is no role `{}`", name.text),
            )
            .label(format!(
                "the first argument of `{}` is a role",
                atom.name.text
            ));
        }
        if keyword == Some(Keyword::Goal) {
            check_value(atom, sink);
        }
    });
}

fn check_value(goal: &AtomSyntax, sink: &mut Sink) {
    let Some(value @ (TermSyntax::Constant(_) | TermSyntax::Function(..))) = goal.args.get(1)
    else {
        return;
    };
    let is_value = match value {
        TermSyntax::Constant(name) => name.text.parse::<u8>().is_ok_and(|value| value <= 100),
        _ => false,
    };
    if !is_value {
        sink.warning(
            "goal-value",
            value.span(),
            format!("`{value}` is not a goal value"),
        )
        .label("a whole number from 0 to 100");
    }
}
