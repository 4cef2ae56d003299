//! Warning: a name with several numbers of arguments. These are different
//! relations, or functions, that have nothing in common.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::is_reserved;
use crate::source::Span;
use crate::syntax::{Name, TermSyntax, arguments};
use indexmap::IndexMap;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let mut relations = Arities::default();
    let mut functions = Arities::default();
    context.description.for_each_atom(&mut |atom| {
        relations.add(&atom.name, atom.args.len(), atom.span);
    });
    context.description.for_each_term(&mut |term| {
        term.for_each(&mut |term| {
            if let TermSyntax::Function(name, args, span) = term {
                functions.add(name, args.len(), *span);
            }
        });
    });
    relations.report("relation", sink);
    functions.report("function", sink);
}

/// Where each name first occurs with each number of arguments.
#[derive(Default)]
struct Arities<'a>(IndexMap<String, Vec<(&'a Name, usize, Span)>>);

impl<'a> Arities<'a> {
    fn add(&mut self, name: &'a Name, arity: usize, span: Span) {
        let seen = self.0.entry(name.folded()).or_default();
        if seen.len() < 2 && seen.iter().all(|&(_, known, _)| known != arity) {
            seen.push((name, arity, span));
        }
    }

    fn report(&self, what: &str, sink: &mut Sink) {
        for seen in self.0.values() {
            let [(_, first, before), (name, second, span)] = seen[..] else {
                continue;
            };
            if is_reserved(&name.text) {
                continue;
            }
            sink.warning(
                "several-arities",
                span,
                format!(
                    "the {what} `{}` is used with {first} and with {second} arguments",
                    name.text
                ),
            )
            .label(format!("{} here", arguments(second)))
            .also(before, format!("{} here", arguments(first)))
            .note(format!("these are two different {what}s"));
        }
    }
}
