//! Warning: a name in several capitalisations. GDL ignores case, but some tools
//! do not.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::syntax::{Name, Statement, TermSyntax};
use indexmap::IndexMap;
use indexmap::map::Entry;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let mut symbols = Spellings::default();
    for statement in &context.description.statements {
        for name in symbols_of(statement) {
            symbols.add(name, sink);
        }
        let mut variables = Spellings::default();
        statement.for_each_term(&mut |term| {
            term.for_each_variable(&mut |name| variables.add(name, sink));
        });
    }
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

/// The first occurrence of every name, and whether another capitalisation of it
/// has been reported.
#[derive(Default)]
struct Spellings<'a>(IndexMap<String, (&'a Name, bool)>);

impl<'a> Spellings<'a> {
    fn add(&mut self, name: &'a Name, sink: &mut Sink) {
        match self.0.entry(name.folded()) {
            Entry::Vacant(entry) => {
                entry.insert((name, false));
            }
            Entry::Occupied(mut entry) => {
                let (first, reported) = entry.get_mut();
                if first.text == name.text || *reported {
                    return;
                }
                *reported = true;
                sink.warning(
                    "capitalisation",
                    name.span,
                    format!("`{}` and `{}` are the same name", first.text, name.text),
                )
                .also(first.span, "first written like this")
                .fix(vec![name.span], first.text.as_str());
            }
        }
    }
}
