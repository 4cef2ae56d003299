//! Substitutes terms for variables.

use super::{Atom, Literal, Rule, Term, VariableId};
use crate::id::{Id, IdVec};
use crate::source::Span;
use std::collections::BTreeMap;

/// A literal with each variable replaced by a term.
pub(crate) fn substitute(literal: &Literal, values: &BTreeMap<VariableId, Term>) -> Literal {
    let replaced = |atom: &Atom| Atom {
        args: atom.args.iter().map(|arg| replace(arg, values)).collect(),
        ..atom.clone()
    };
    match literal {
        Literal::Positive(atom) => Literal::Positive(replaced(atom)),
        Literal::Negative(atom) => Literal::Negative(replaced(atom)),
        Literal::Distinct(left, right, span) => {
            Literal::Distinct(replace(left, values), replace(right, values), *span)
        }
    }
}

/// A term with each variable replaced by a term. Recursion is safe: the parser limits depth.
pub(crate) fn replace(term: &Term, values: &BTreeMap<VariableId, Term>) -> Term {
    match term {
        Term::Variable(variable) => values[variable].clone(),
        Term::Constant(symbol) => Term::Constant(*symbol),
        Term::Function(symbol, args) => Term::Function(
            *symbol,
            args.iter().map(|arg| replace(arg, values)).collect(),
        ),
    }
}

/// New names of variables, in the order of their first occurrence.
#[derive(Default)]
pub(crate) struct VariableOrder {
    pub variables: Vec<VariableId>,
}

impl VariableOrder {
    pub(crate) fn variable(&mut self, variable: VariableId) -> VariableId {
        let known = self.variables.iter().position(|&known| known == variable);
        VariableId::new(known.unwrap_or_else(|| {
            self.variables.push(variable);
            self.variables.len() - 1
        }))
    }

    pub(crate) fn all(&mut self, terms: &[Term]) -> Vec<Term> {
        let mut values = BTreeMap::new();
        for term in terms {
            term.for_each_variable(&mut |variable| self.include(variable, &mut values));
        }
        terms.iter().map(|term| replace(term, &values)).collect()
    }

    /// A literal over the new variables, as if it had been written at `span`.
    pub(crate) fn literal(&mut self, literal: &Literal, span: Span) -> Literal {
        let mut values = BTreeMap::new();
        literal.for_each_variable(&mut |variable| self.include(variable, &mut values));
        let mut renamed = substitute(literal, &values);
        match &mut renamed {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.span = span,
            Literal::Distinct(_, _, place) => *place = span,
        }
        renamed
    }

    fn include(&mut self, variable: VariableId, values: &mut BTreeMap<VariableId, Term>) {
        values.insert(variable, Term::Variable(self.variable(variable)));
    }

    /// The names of the variables in the rule that they are from.
    pub(crate) fn names(&self, rule: &Rule) -> IdVec<VariableId, String> {
        let names = self.variables.iter();
        names
            .map(|&variable| rule.variables[variable].clone())
            .collect()
    }
}
