//! Warning: a fluent that is used but never becomes true, or that becomes true but
//! is never used.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::{Atom, Keyword, Literal, Program, SymbolId, Term, is_reserved};
use crate::source::Span;
use indexmap::IndexMap;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    let program = context.program;
    let mut made = Fluents::default();
    let mut asked = Fluents::default();
    for rule in &program.rules {
        made.add(program, &rule.head, &[Keyword::Init, Keyword::Next]);
        for (atom, _) in rule.body.iter().filter_map(Literal::atom) {
            asked.add(program, atom, &[Keyword::True]);
        }
    }
    asked.report_without(&made, program, sink, "never-true", "never becomes true");
    made.report_without(&asked, program, sink, "never-asked", "is never used");
}

/// Fluents by name and number of arguments, each with its first occurrence.
#[derive(Default)]
struct Fluents {
    spans: IndexMap<(SymbolId, usize), Span>,
    /// Whether some argument is a variable, which may be any fluent.
    any: bool,
}

impl Fluents {
    fn add(&mut self, program: &Program, atom: &Atom, keywords: &[Keyword]) {
        let keyword = program.relations[atom.relation].keyword;
        if !keyword.is_some_and(|keyword| keywords.contains(&keyword)) {
            return;
        }
        let key = match &atom.args[0] {
            Term::Variable(_) => {
                self.any = true;
                return;
            }
            Term::Constant(name) => (*name, 0),
            Term::Function(name, args) => (*name, args.len()),
        };
        self.spans.entry(key).or_insert(atom.span);
    }

    fn report_without(
        &self,
        others: &Self,
        program: &Program,
        sink: &mut Sink,
        code: &'static str,
        fault: &str,
    ) {
        if others.any {
            return;
        }
        for (key, &span) in &self.spans {
            let name = &program.symbols[key.0];
            if !others.spans.contains_key(key) && !is_reserved(name) {
                sink.warning(code, span, format!("the fluent `{name}` {fault}"));
            }
        }
    }
}
