//! Warning: one name in several spellings. GDL ignores case, some tools do not.

use super::Subject;
use crate::diag::Sink;
use crate::syntax::{Name, Statement, Term};
use indexmap::IndexMap;
use indexmap::map::Entry;

pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    let mut names = Spellings::default();
    subject
        .description
        .for_each_atom(&mut |atom| names.add(&atom.name, sink));
    subject.description.for_each_term(&mut |term| {
        term.for_each(&mut |term| match term {
            Term::Constant(name) | Term::Function(name, ..) => names.add(name, sink),
            Term::Variable(_) => {}
        });
    });
    for statement in &subject.description.statements {
        check_variables(statement, sink);
    }
}

fn check_variables(statement: &Statement, sink: &mut Sink) {
    let mut names = Spellings::default();
    statement.for_each_term(&mut |term| {
        term.for_each_variable(&mut |name| names.add(name, sink));
    });
}

/// The first occurrence of every name, and whether another spelling of it has
/// been reported.
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
                .also(first.span, "first written like this");
            }
        }
    }
}
