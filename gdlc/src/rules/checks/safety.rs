//! Error: a variable that no positive literal binds.
//!
//! Every variable of the head, of a `not` and of a `distinct` must occur in a
//! positive literal of the body; with `or`, in every alternative. This is
//! decided on the description: the alternatives need not be multiplied out.

use super::Subject;
use crate::diag::Sink;
use crate::syntax::{Atom, Condition, Name, Statement, Term};
use std::collections::BTreeSet;

pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    for statement in &subject.description.statements {
        let mut scope = Scope {
            bound: vec![bound_by_all(statement.body())],
            reported: BTreeSet::new(),
            sink,
        };
        match statement {
            Statement::Fact(fact) => scope.require(&fact.args, "of a fact"),
            Statement::Rule(rule) => scope.require(&rule.head.args, "of the head"),
        }
        for condition in statement.body() {
            scope.condition(condition);
        }
    }
}

/// Variables under their folded names.
type Variables = BTreeSet<String>;

struct Scope<'a> {
    /// What the conjunctions around the present place bind, outermost first.
    bound: Vec<Variables>,
    reported: Variables,
    sink: &'a mut Sink,
}

impl Scope<'_> {
    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Atom(_) => {}
            Condition::Distinct(left, right, _) => {
                self.require([left, right], "of a `distinct`");
            }
            Condition::Not(inner, _) => {
                inner.for_each_term(&mut |term| self.require([term], "of a `not`"));
            }
            Condition::And(parts, _) => {
                self.bound.push(bound_by_all(parts));
                parts.iter().for_each(|part| self.condition(part));
                self.bound.pop();
            }
            Condition::Or(parts, _) => {
                for part in parts {
                    self.bound.push(bound_by(part));
                    self.condition(part);
                    self.bound.pop();
                }
            }
        }
    }

    fn require<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>, place: &str) {
        for term in terms {
            term.for_each_variable(&mut |name| {
                let folded = name.folded();
                let bound = self.bound.iter().any(|bound| bound.contains(&folded));
                if !bound && self.reported.insert(folded) {
                    report(name, place, self.sink);
                }
            });
        }
    }
}

fn report(name: &Name, place: &str, sink: &mut Sink) {
    let label = match place {
        "of a fact" => "a fact has no variables",
        _ => "no positive literal of the body contains it",
    };
    sink.error(
        "unsafe-variable",
        name.span,
        format!("the variable `{}` {place} is not bound", name.text),
    )
    .label(label);
}

/// The variables that have a value wherever the condition holds.
fn bound_by(condition: &Condition) -> Variables {
    match condition {
        Condition::Atom(atom) => variables_of(atom),
        Condition::Distinct(..) | Condition::Not(..) => Variables::new(),
        Condition::And(parts, _) => bound_by_all(parts),
        Condition::Or(parts, _) => parts
            .iter()
            .map(bound_by)
            .reduce(|one, other| one.intersection(&other).cloned().collect())
            .unwrap_or_default(),
    }
}

fn bound_by_all(conditions: &[Condition]) -> Variables {
    conditions.iter().flat_map(bound_by).collect()
}

fn variables_of(atom: &Atom) -> Variables {
    let mut variables = Variables::new();
    for term in &atom.args {
        term.for_each_variable(&mut |name| {
            variables.insert(name.folded());
        });
    }
    variables
}
