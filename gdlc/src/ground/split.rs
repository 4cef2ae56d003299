//! Splits rule bodies before they are instantiated, so that variables that occur
//! only in one part are projected out there: [`Clauses`] to [`Clauses`].
//!
//! This is bucket elimination over the rule's variable graph (Dechter, Bucket
//! elimination: a unifying framework for reasoning, 1999), as grounders of
//! answer set programs do with tree decompositions (Bichler, Morak, Woltran,
//! lpopt: a rule optimization tool for answer set programming, 2016). The bucket
//! of a variable is the set of literals that contain it; the bucket becomes a
//! relation of its own over the variables that it shares with the rest. A rule
//! has about n^k instances for k variables over n values, so a split pays if
//! both parts have fewer variables than the whole. The order of the splits
//! decides how much it pays ([`SplitCost`]).
//!
//! All parts are safe: each variable occurs in a positive literal of the part.

use super::clause::{Clause, Clauses, Predicate, PredicateKind};
use crate::id::Id;
use crate::rules::{Atom, Literal, RelationId, RuleId, Term, VariableId};
use indexmap::IndexMap;
use std::cmp::Reverse;

/// A set of variables, one bit per variable. Rules with more than fit are not
/// split.
type VariableSet = u128;

/// Splits every rule for which it pays, the part of the lowest cost first.
pub(super) fn split_rules(clauses: &mut Clauses, cost: SplitCost) {
    let mut parts = AuxiliaryRelations::default();
    let whole = std::mem::take(&mut clauses.clauses);
    for mut clause in whole {
        if clause.variables <= VariableSet::BITS as usize {
            while let Some(bucket) = best_bucket(&clause, clauses, cost) {
                let atom = parts.relation_of(&clause, &bucket, clauses);
                bucket.replace(&mut clause, atom);
            }
        }
        clauses.clauses.push(clause);
    }
    clauses.clauses.extend(parts.clauses);
}

/// What the number of a part's instances is estimated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitCost {
    /// The number of its variables.
    Variables,
    /// The same, except that k variables in a literal that is the same in every state count as
    /// (k + 1) / 2. Such relations say what is next to what and the like: a square has few
    /// neighbours, so that they have few atoms.
    SparseStatics,
}

impl SplitCost {
    /// Twice the number that the variables of these literals count as.
    fn of(self, literals: &[(&Literal, VariableSet)], clauses: &Clauses) -> u32 {
        let is_sparse = |literal: &Literal| match literal {
            Literal::Positive(atom) => {
                self == Self::SparseStatics
                    && clauses.predicates[atom.relation].kind == PredicateKind::Static
            }
            Literal::Negative(_) | Literal::Distinct(..) => false,
        };
        let sparse = literals.iter().filter(|(literal, _)| is_sparse(literal));
        let mut sparse: Vec<VariableSet> = sparse.map(|&(_, variables)| variables).collect();
        sparse.sort_by_key(|variables| Reverse(variables.count_ones()));
        let (mut cost, mut counted) = (0, 0);
        for variables in sparse {
            let new = (variables & !counted).count_ones();
            cost += if new > 0 { new + 1 } else { 0 };
            counted |= variables;
        }
        let all = literals.iter().fold(0, |all, &(_, literal)| all | literal);
        cost + 2 * (all & !counted).count_ones()
    }
}

/// Literals of a rule that can become a relation of their own.
struct Bucket {
    /// Whether each literal of the body belongs to the bucket.
    contains: Vec<bool>,
    /// The variables that it shares with the rest of the rule, in ascending order.
    shared: Vec<VariableId>,
}

/// The bucket with the lowest cost among those that pay; the first of several.
fn best_bucket(clause: &Clause, clauses: &Clauses, cost: SplitCost) -> Option<Bucket> {
    let body: Vec<VariableSet> = clause.body.iter().map(literal_variables).collect();
    let head = atom_variables(&clause.head);
    let all = body.iter().fold(head, |all, literal| all | literal);
    let mut best: Option<(u32, VariableSet, VariableSet)> = None;
    for variable in bits(all & !head) {
        let within = union(&body, |literal| literal & variable != 0);
        let literals: Vec<_> = (clause.body.iter().zip(body.iter().copied()))
            .filter(|(_, literal)| literal & variable != 0)
            .collect();
        let cost = cost.of(&literals, clauses);
        let pays = within != all && best.is_none_or(|(least, ..)| cost < least);
        if pays && is_safe(clause, &body, variable) {
            best = Some((cost, variable, within));
        }
    }
    let (_, variable, within) = best?;
    let outside = union(&body, |literal| literal & variable == 0) | head;
    Some(Bucket {
        contains: body.iter().map(|literal| literal & variable != 0).collect(),
        shared: bits(within & outside)
            .map(|bit| VariableId::new(bit.trailing_zeros() as usize))
            .collect(),
    })
}

/// Whether the positive literals of a variable's bucket bind all variables of the
/// bucket.
fn is_safe(clause: &Clause, body: &[VariableSet], variable: VariableSet) -> bool {
    let mut bound = 0;
    let mut tested = 0;
    for (literal, variables) in clause.body.iter().zip(body) {
        if variables & variable != 0 {
            match literal {
                Literal::Positive(_) => bound |= variables,
                Literal::Negative(_) | Literal::Distinct(..) => tested |= variables,
            }
        }
    }
    tested & !bound == 0
}

impl Bucket {
    /// Replaces the bucket's literals by `atom`, in the position of the first.
    fn replace(&self, clause: &mut Clause, atom: Atom) {
        let mut atom = Some(Literal::Positive(atom));
        let body = std::mem::take(&mut clause.body);
        for (literal, &within) in body.into_iter().zip(&self.contains) {
            if within {
                clause.body.extend(atom.take());
            } else {
                clause.body.push(literal);
            }
        }
    }
}

/// The relations added so far, by their definitions.
#[derive(Default)]
struct AuxiliaryRelations {
    known: IndexMap<AuxiliaryKey, RelationId>,
    clauses: Vec<Clause>,
}

/// A part of a rule without spans, its variables renamed in the order of their
/// first occurrence: parts with equal keys are the same relation.
#[derive(PartialEq, Eq, Hash)]
struct AuxiliaryKey {
    body: Vec<(Sign, Option<RelationId>, Vec<Term>)>,
    shared: Vec<VariableId>,
}

#[derive(PartialEq, Eq, Hash)]
enum Sign {
    Positive,
    Negative,
    Distinct,
}

impl AuxiliaryRelations {
    /// The atom that replaces a bucket in its rule.
    fn relation_of(&mut self, clause: &Clause, bucket: &Bucket, clauses: &mut Clauses) -> Atom {
        let literals = clause.body.iter().zip(&bucket.contains);
        let body: Vec<Literal> = literals
            .filter(|&(_, &within)| within)
            .map(|(literal, _)| literal.clone())
            .collect();
        let mut names = Renaming::default();
        let key = AuxiliaryKey {
            body: body.iter().map(|literal| names.literal(literal)).collect(),
            shared: Vec::new(),
        };
        // Sorted by their new names, so that the order of arguments does not
        // depend on how this rule numbers its variables.
        let mut shared: Vec<(VariableId, VariableId)> = bucket
            .shared
            .iter()
            .map(|&variable| (names.variable(variable), variable))
            .collect();
        shared.sort_unstable();
        let key = AuxiliaryKey {
            shared: shared.iter().map(|&(renamed, _)| renamed).collect(),
            ..key
        };
        let span = clause.head.span;
        let variables = names.map.len();
        let relation = match self.known.get(&key) {
            Some(&relation) => relation,
            None => {
                let relation = clauses.predicates.push(Predicate {
                    name: format!("part-{}", self.known.len() + 1),
                    arity: shared.len(),
                    kind: clauses.kind_of(&body),
                    highest: PredicateKind::Varying,
                });
                self.clauses
                    .push(key.clause(relation, variables, clause.origin, span));
                self.known.insert(key, relation);
                relation
            }
        };
        Atom {
            relation,
            args: shared
                .iter()
                .map(|&(_, variable)| Term::Variable(variable))
                .collect(),
            span,
        }
    }
}

impl AuxiliaryKey {
    /// The rule that defines a part.
    fn clause(
        &self,
        relation: RelationId,
        variables: usize,
        origin: RuleId,
        span: crate::source::Span,
    ) -> Clause {
        let atom = |relation: RelationId, args: &[Term]| Atom {
            relation,
            args: args.to_vec(),
            span,
        };
        let body = self.body.iter().map(|(sign, of, args)| match (sign, of) {
            (Sign::Positive, Some(of)) => Literal::Positive(atom(*of, args)),
            (Sign::Negative, Some(of)) => Literal::Negative(atom(*of, args)),
            _ => Literal::Distinct(args[0].clone(), args[1].clone(), span),
        });
        let shared: Vec<Term> = self.shared.iter().map(|&v| Term::Variable(v)).collect();
        Clause {
            head: atom(relation, &shared),
            body: body.collect(),
            variables,
            origin,
        }
    }
}

/// New names of variables, in the order of their first occurrence.
#[derive(Default)]
struct Renaming {
    map: IndexMap<VariableId, VariableId>,
}

impl Renaming {
    fn variable(&mut self, variable: VariableId) -> VariableId {
        let next = VariableId::new(self.map.len());
        *self.map.entry(variable).or_insert(next)
    }

    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Variable(variable) => Term::Variable(self.variable(*variable)),
            Term::Constant(symbol) => Term::Constant(*symbol),
            Term::Function(symbol, args) => Term::Function(*symbol, self.rename_all(args)),
        }
    }

    fn rename_all(&mut self, terms: &[Term]) -> Vec<Term> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn literal(&mut self, literal: &Literal) -> (Sign, Option<RelationId>, Vec<Term>) {
        match literal {
            Literal::Positive(atom) => (
                Sign::Positive,
                Some(atom.relation),
                self.rename_all(&atom.args),
            ),
            Literal::Negative(atom) => (
                Sign::Negative,
                Some(atom.relation),
                self.rename_all(&atom.args),
            ),
            Literal::Distinct(left, right, _) => (
                Sign::Distinct,
                None,
                vec![self.term(left), self.term(right)],
            ),
        }
    }
}

fn literal_variables(literal: &Literal) -> VariableSet {
    let mut variables = 0;
    literal.for_each_variable(&mut |variable| variables |= 1 << variable.index());
    variables
}

fn atom_variables(atom: &Atom) -> VariableSet {
    let mut variables = 0;
    atom.for_each_variable(&mut |variable| variables |= 1 << variable.index());
    variables
}

fn union(body: &[VariableSet], which: impl Fn(VariableSet) -> bool) -> VariableSet {
    body.iter()
        .filter(|&&literal| which(literal))
        .fold(0, |all, literal| all | literal)
}

/// The single bits of a set, lowest first.
fn bits(mut set: VariableSet) -> impl Iterator<Item = VariableSet> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}
