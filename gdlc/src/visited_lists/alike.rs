//! Whether the rules about visited lists tell one element from another.

use super::recursion::{Recursion, Step};
use crate::rules::{Literal, Program, RelationId, Rule, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Whether what is asked of lists remains true when any two elements are exchanged: no rule
/// names an element, and the exchange leaves the set of facts as it is.
pub(super) fn are_alike(program: &Program, recursion: &Recursion, elements: &[SymbolId]) -> bool {
    let all: BTreeSet<SymbolId> = elements.iter().copied().collect();
    let names_element = |term: &Term| contains(term, &all);
    let steps = || recursion.tests.iter().chain([&recursion.extension]);
    if recursion.starts.iter().any(names_element)
        || steps().any(|step| step_terms(step).any(names_element))
    {
        return false;
    }
    let rules = program.rules.iter();
    let defined_by = relations_asked(program, steps());
    let (facts, rules): (Vec<&Rule>, Vec<&Rule>) = rules
        .filter(|rule| defined_by.contains(&rule.head.relation))
        .partition(|rule| rule.body.is_empty() && rule.variables.is_empty());
    if rules.iter().any(|rule| rule_terms(rule).any(names_element)) {
        return false;
    }
    let facts = facts
        .iter()
        .map(|fact| (fact.head.relation, fact.head.args.clone()));
    let facts: FxHashSet<(RelationId, Vec<Term>)> = facts
        .filter(|(_, args)| args.iter().any(names_element))
        .collect();
    // Exchanges of neighbours generate all others.
    elements.windows(2).all(|pair| {
        (facts.iter()).all(|(relation, args)| {
            let args = args.iter().map(|arg| exchanged(arg, pair[0], pair[1]));
            facts.contains(&(*relation, args.collect()))
        })
    })
}

/// The relations that define what is asked of lists.
pub(super) fn relations_asked<'a>(
    program: &Program,
    steps: impl Iterator<Item = &'a Step>,
) -> BTreeSet<RelationId> {
    let literals = steps.flat_map(|step| &step.literals);
    let asked = literals.filter_map(|literal| Some(literal.atom()?.0.relation));
    program.depended_on(asked.collect(), |_| true)
}

fn step_terms(step: &Step) -> impl Iterator<Item = &Term> {
    let literals = step.literals.iter();
    literals.flat_map(literal_terms).chain([&step.result])
}

fn rule_terms(rule: &Rule) -> impl Iterator<Item = &Term> {
    let body = rule.body.iter().flat_map(literal_terms);
    rule.head.args.iter().chain(body)
}

fn literal_terms(literal: &Literal) -> Vec<&Term> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.args.iter().collect(),
        Literal::Distinct(left, right, _) => vec![left, right],
    }
}

fn contains(term: &Term, elements: &BTreeSet<SymbolId>) -> bool {
    match term {
        Term::Variable(_) => false,
        Term::Constant(symbol) => elements.contains(symbol),
        Term::Function(_, args) => args.iter().any(|arg| contains(arg, elements)),
    }
}

/// A term with two constants exchanged.
fn exchanged(term: &Term, one: SymbolId, other: SymbolId) -> Term {
    match term {
        Term::Constant(symbol) if *symbol == one => Term::Constant(other),
        Term::Constant(symbol) if *symbol == other => Term::Constant(one),
        Term::Constant(_) | Term::Variable(_) => term.clone(),
        Term::Function(symbol, args) => {
            let args = args.iter().map(|arg| exchanged(arg, one, other));
            Term::Function(*symbol, args.collect())
        }
    }
}
