//! Cuts long bodies into chains of short ones: [`Clauses`] to [`Clauses`].
//!
//! The later steps look at all pairs of a body's literals, or even all triples.
//! That does not matter for rules written by hand, but would for hostile ones.
//!
//! Afterwards no body has more than [`LONGEST`] literals.

use super::clause::{Clause, Clauses, Predicate, PredicateKind};
use crate::id::IdVec;
use crate::rules::{Atom, Literal, Term, VariableId};

/// The maximum number of literals in a body.
const LONGEST: usize = 64;

/// Cuts every body that is too long.
pub(super) fn shorten_bodies(clauses: &mut Clauses) {
    for clause in std::mem::take(&mut clauses.clauses) {
        if clause.body.len() > LONGEST {
            cut(&clause, clauses);
        } else {
            clauses.clauses.push(clause);
        }
    }
}

/// Cuts a body. A link of the chain stands for all literals before it, over the
/// variables that are still needed.
fn cut(clause: &Clause, clauses: &mut Clauses) {
    let body = bind_before_test(clause);
    let last_use = last_uses(clause, &body);
    let mut seen: IdVec<VariableId, bool> = IdVec::filled(false, clause.variables);
    let mut links = body.chunks(LONGEST - 1).peekable();
    let (mut link, mut end): (Option<Literal>, usize) = (None, 0);
    while let Some(literals) = links.next() {
        let body: Vec<Literal> = link.take().into_iter().chain(literals.to_vec()).collect();
        end += literals.len();
        let mut part = Clause {
            head: clause.head.clone(),
            body,
            variables: clause.variables,
            origin: clause.origin,
        };
        if links.peek().is_some() {
            for literal in literals {
                literal.for_each_variable(&mut |variable| seen[variable] = true);
            }
            let open = |&variable: &VariableId| seen[variable] && last_use[variable] >= end;
            let shared: Vec<Term> = seen.ids().filter(open).map(Term::Variable).collect();
            part.head = Atom {
                relation: clauses.predicates.push(Predicate {
                    name: format!("link-{}", clauses.predicates.len()),
                    arity: shared.len(),
                    kind: clauses.kind_of(&part.body),
                    highest: PredicateKind::Varying,
                }),
                args: shared,
                span: clause.head.span,
            };
            link = Some(Literal::Positive(part.head.clone()));
        }
        clauses.clauses.push(part);
    }
}

/// The body with each test (a negative literal or a `distinct`) after the
/// positive literals that bind its variables.
fn bind_before_test(clause: &Clause) -> Vec<Literal> {
    let mut bound_at: IdVec<VariableId, usize> = IdVec::filled(0, clause.variables);
    for (position, literal) in clause.body.iter().enumerate().rev() {
        if matches!(literal, Literal::Positive(_)) {
            literal.for_each_variable(&mut |variable| bound_at[variable] = position);
        }
    }
    let place = |(position, literal): (usize, &Literal)| {
        let mut place = position;
        literal.for_each_variable(&mut |variable| {
            place = place.max(bound_at[variable]);
        });
        match literal {
            Literal::Positive(_) => (position, 0, position),
            Literal::Negative(_) | Literal::Distinct(..) => (place, 1, position),
        }
    };
    let mut places: Vec<(usize, usize, usize)> =
        clause.body.iter().enumerate().map(place).collect();
    places.sort_unstable();
    let sorted = places.into_iter().map(|(.., position)| position);
    sorted
        .map(|position| clause.body[position].clone())
        .collect()
}

/// The position of the last literal that contains each variable; the length of
/// the body if the head contains it.
fn last_uses(clause: &Clause, body: &[Literal]) -> IdVec<VariableId, usize> {
    let mut last_use = IdVec::filled(0, clause.variables);
    for (position, literal) in body.iter().enumerate() {
        literal.for_each_variable(&mut |variable| last_use[variable] = position);
    }
    let head = &clause.head;
    head.for_each_variable(&mut |variable| last_use[variable] = body.len());
    last_use
}
