//! Error: a variable that no positive literal binds.
//!
//! Every variable of the head, of a `not` and of a `distinct` must occur in a
//! positive literal of the body; with `or`, in every alternative. This is
//! decided on the description, without expanding the alternatives.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::syntax::{AtomSyntax, ConditionSyntax, Name, Statement, TermSyntax};
use std::collections::BTreeSet;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for statement in &context.description.statements {
        let mut safety = SafetyCheck {
            bound: vec![bound_by_all(statement.body())],
            reported: BTreeSet::new(),
            sink,
        };
        match statement {
            Statement::Fact(fact) => safety.require(&fact.args, "of a fact"),
            Statement::Rule(rule) => safety.require(&rule.head.args, "of the head"),
        }
        for condition in statement.body() {
            safety.condition(condition);
        }
    }
}

/// Variables under their folded names.
type NameSet = BTreeSet<String>;

struct SafetyCheck<'a> {
    /// The variables bound by each conjunction around the current condition,
    /// outermost first.
    bound: Vec<NameSet>,
    reported: NameSet,
    sink: &'a mut Sink,
}

impl SafetyCheck<'_> {
    fn condition(&mut self, condition: &ConditionSyntax) {
        match condition {
            ConditionSyntax::Atom(_) => {}
            ConditionSyntax::Distinct(left, right, _) => {
                self.require([left, right], "of a `distinct`");
            }
            ConditionSyntax::Not(inner, _) => {
                inner.for_each_term(&mut |term| self.require([term], "of a `not`"));
            }
            ConditionSyntax::And(parts, _) => {
                self.bound.push(bound_by_all(parts));
                parts.iter().for_each(|part| self.condition(part));
                self.bound.pop();
            }
            ConditionSyntax::Or(parts, _) => {
                for part in parts {
                    self.bound.push(bound_by(part));
                    self.condition(part);
                    self.bound.pop();
                }
            }
        }
    }

    fn require<'t>(&mut self, terms: impl IntoIterator<Item = &'t TermSyntax>, place: &str) {
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

/// The variables that the condition binds whenever it holds.
fn bound_by(condition: &ConditionSyntax) -> NameSet {
    match condition {
        ConditionSyntax::Atom(atom) => variables_of(atom),
        ConditionSyntax::Distinct(..) | ConditionSyntax::Not(..) => NameSet::new(),
        ConditionSyntax::And(parts, _) => bound_by_all(parts),
        ConditionSyntax::Or(parts, _) => parts
            .iter()
            .map(bound_by)
            .reduce(|one, other| one.intersection(&other).cloned().collect())
            .unwrap_or_default(),
    }
}

fn bound_by_all(conditions: &[ConditionSyntax]) -> NameSet {
    conditions.iter().flat_map(bound_by).collect()
}

fn variables_of(atom: &AtomSyntax) -> NameSet {
    let mut variables = NameSet::new();
    for term in &atom.args {
        term.for_each_variable(&mut |name| {
            variables.insert(name.folded());
        });
    }
    variables
}
