//! Warning: a name in several capitalisations. GDL ignores case, but some tools
//! do not.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::syntax::{Name, Statement, TermSyntax};
use indexmap::IndexMap;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let mut symbols = Spellings::default();
    for statement in &context.description.statements {
        for name in symbols_of(statement) {
            symbols.add(name);
        }
        let mut variables = Spellings::default();
        statement.for_each_term(&mut |term| {
            term.for_each_variable(&mut |name| variables.add(name));
        });
        variables.report(sink);
    }
    symbols.report(sink);
}

/// The names of relations, functions and constants, in the order of the text.
fn symbols_of(statement: &Statement) -> Vec<&Name> {
    let mut symbols = Vec::new();
    statement.for_each_atom(&mut |atom| symbols.push(&atom.name));
    statement.for_each_term(&mut |term| {
        term.for_each(&mut |term| match term {
            TermSyntax::Constant(name) | TermSyntax::Function(name, ..) => symbols.push(name),
            TermSyntax::Variable(_) => {}
        });
    });
    symbols.sort_by_key(|name| name.span);
    symbols
}

/// The first occurrence of every name, and all occurrences in another capitalisation.
#[derive(Default)]
struct Spellings<'a>(IndexMap<String, (&'a Name, Vec<&'a Name>)>);

impl<'a> Spellings<'a> {
    fn add(&mut self, name: &'a Name) {
        let entry = self.0.entry(name.folded());
        let (first, others) = entry.or_insert((name, Vec::new()));
        if first.text != name.text {
            others.push(name);
        }
    }

    fn report(self, sink: &mut Sink) {
        for (first, others) in self.0.values() {
            let Some(other) = others.first() else {
                continue;
            };
            sink.warning(
                "capitalisation",
                other.span,
                format!("`{}` and `{}` are the same name", first.text, other.text),
            )
            .also(first.span, "first written like this")
            .fix(others.iter().map(|name| (name.span, first.text.clone())));
        }
    }
}
