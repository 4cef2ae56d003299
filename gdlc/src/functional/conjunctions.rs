//! Splits conjunctions beside functional fluents.
//!
//! Beside `(true (f ?m))` and `(true (g ?n))`, which determine `?m` and `?n`, each literal
//! that contains them depends on the state alone: `(a ?m ?n)` becomes `a@1`, where `a@1` has
//! the body `(true (f ?m)) (true (g ?n)) (a ?m ?n)`. If `a` is unfolded into its rules, the
//! literals of their bodies are split in the same way. What is left are relations about one
//! fluent each, and combinations of these without the variables. Existential quantification
//! distributes over a conjunction of literals only because there is at most one choice of
//! the variables.

use super::claims::{FunctionalConjunction, FunctionalFluent};
use super::unfolding::{join, plain_rules};
use crate::id::Id;
use crate::rules::{
    Atom, Dependence, Literal, Program, Relation, RelationId, Rule, Term, VariableId, VariableOrder,
};
use crate::source::Span;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// The maximum depth to which calls in rule bodies are replaced by the rules called.
const DEEPEST: usize = 8;

/// The maximum number of rules added; beyond it, calls stay as they are.
const MOST_RULES: usize = 10_000;

/// The program with all these conjunctions split.
pub(super) fn split_conjunctions(
    program: &Program,
    conjunctions: &[FunctionalConjunction],
) -> Program {
    let mut splitting = Splitting {
        original: program,
        result: program.clone(),
        known: Vec::new(),
    };
    for conjunction in conjunctions {
        let mut rule = program.rules[conjunction.rule].clone();
        let fluents = conjunction.fluents.iter();
        let determinants: Vec<Determinant> = fluents
            .filter_map(|fluent| Determinant::find(&rule, fluent))
            .collect();
        splitting.split(&mut rule, &determinants, 0);
        splitting.result.rules[conjunction.rule] = rule;
    }
    splitting.result
}

/// A literal over `true` and the variables that it determines.
#[derive(Clone, PartialEq)]
struct Determinant {
    holds: Literal,
    determined: BTreeSet<VariableId>,
}

impl Determinant {
    fn find(rule: &Rule, fluent: &FunctionalFluent) -> Option<Self> {
        let holds = rule.body[fluent.holds].clone();
        let (atom, _) = holds.atom()?;
        let Term::Function(_, args) = &atom.args[0] else {
            return None;
        };
        let determined = fluent.determined.iter();
        let determined = determined.filter_map(|&position| match args[position] {
            Term::Variable(variable) => Some(variable),
            _ => None,
        });
        Some(Self {
            determined: determined.collect(),
            holds,
        })
    }

    /// The same determinant over renamed variables.
    fn renamed(&self, order: &mut VariableOrder, span: Span) -> Self {
        let determined = self.determined.iter();
        Self {
            holds: order.literal(&self.holds, span),
            determined: determined
                .map(|&variable| order.variable(variable))
                .collect(),
        }
    }
}

struct Splitting<'a> {
    original: &'a Program,
    result: Program,
    /// The relations added so far, by what they mean.
    known: Vec<(PartMeaning, RelationId)>,
}

/// What a new relation stands for, over variables numbered in the order of their first
/// occurrence.
#[derive(PartialEq)]
struct PartMeaning {
    determinants: Vec<Determinant>,
    literals: Vec<Literal>,
}

impl Splitting<'_> {
    /// Splits the body of a rule that contains the determinants.
    fn split(&mut self, rule: &mut Rule, determinants: &[Determinant], depth: usize) {
        let body = std::mem::take(&mut rule.body);
        let mut parts: IndexMap<Vec<usize>, Vec<Literal>> = IndexMap::new();
        let mut calls = Vec::new();
        let mut covered = BTreeSet::new();
        for literal in body {
            let about = about(&literal, determinants);
            if determinants.iter().any(|other| other.holds == literal) {
                continue;
            } else if about.is_empty() || !is_bound(&literal, &about, determinants) {
                rule.body.push(literal);
            } else if about.len() == 1 {
                covered.extend(about.iter().copied());
                parts.entry(about).or_default().push(literal);
            } else {
                covered.extend(about.iter().copied());
                calls.push((about, vec![literal]));
            }
        }
        for (about, literals) in parts.into_iter().chain(calls) {
            let about: Vec<Determinant> = about.iter().map(|&i| determinants[i].clone()).collect();
            let atom = self.part(rule, &about, &literals, depth);
            rule.body.push(Literal::Positive(atom));
        }
        restore(rule, determinants, &covered);
    }

    /// The atom that stands for literals about these determinants.
    fn part(
        &mut self,
        rule: &Rule,
        determinants: &[Determinant],
        literals: &[Literal],
        depth: usize,
    ) -> Atom {
        let mut order = VariableOrder::default();
        let renamed = determinants
            .iter()
            .map(|one| one.renamed(&mut order, rule.span));
        let renamed: Vec<Determinant> = renamed.collect();
        let literals: Vec<Literal> = literals
            .iter()
            .map(|one| order.literal(one, rule.span))
            .collect();
        let is_shared = |number: usize| {
            let variable = VariableId::new(number);
            !renamed.iter().any(|one| one.determined.contains(&variable))
        };
        let numbers = (0..order.variables.len()).filter(|&number| is_shared(number));
        let (args, shared): (Vec<Term>, Vec<Term>) = numbers
            .map(|number| {
                let variable = Term::Variable(VariableId::new(number));
                (Term::Variable(order.variables[number]), variable)
            })
            .unzip();
        let meaning = PartMeaning {
            determinants: renamed.clone(),
            literals: literals.clone(),
        };
        let known = self.known.iter().find(|(known, _)| *known == meaning);
        let relation = known.map(|&(_, relation)| relation).unwrap_or_else(|| {
            let relation = self.declare(&literals, shared.len());
            self.known.push((meaning, relation));
            let head = Atom {
                relation,
                args: shared,
                span: rule.span,
            };
            let caller = Rule {
                head,
                body: renamed.iter().map(|one| one.holds.clone()).collect(),
                variables: order.names(rule),
                span: rule.span,
            };
            self.define(caller, &renamed, literals, depth);
            relation
        });
        Atom {
            relation,
            args,
            span: rule.span,
        }
    }

    /// A new relation, named after the one that it restricts.
    fn declare(&mut self, literals: &[Literal], arity: usize) -> RelationId {
        let atoms = literals.iter().find_map(Literal::atom);
        let base = atoms.map_or("distinct".into(), |(atom, _)| {
            self.original.relation_name(atom.relation)
        });
        let number = self.result.relations.len();
        let name = self.result.symbols.push(format!("{base}@{number}"));
        self.result.relations.push(Relation {
            name,
            arity,
            keyword: None,
            dependence: Dependence::State,
        })
    }

    /// Adds the rules of a new relation: `caller` with these literals.
    fn define(
        &mut self,
        mut caller: Rule,
        determinants: &[Determinant],
        literals: Vec<Literal>,
        depth: usize,
    ) {
        let added = self.result.rules.len() - self.original.rules.len();
        let call = match &literals[..] {
            [Literal::Positive(call)] if determinants.len() > 1 => Some(call),
            _ => None,
        };
        let call = call.filter(|_| depth < DEEPEST && added < MOST_RULES);
        let callees =
            call.and_then(|call| Some((call, plain_rules(self.original, call.relation)?)));
        let Some((call, callees)) = callees else {
            caller.body.extend(literals);
            self.result.rules.push(caller);
            return;
        };
        for callee in callees {
            let mut joined = join(&caller, call, callee);
            self.split(&mut joined, determinants, depth + 1);
            self.result.rules.push(joined);
        }
    }
}

/// The determinants whose variables a literal contains.
fn about(literal: &Literal, determinants: &[Determinant]) -> Vec<usize> {
    let variables = literal.variables();
    let determinants = determinants.iter().enumerate();
    determinants
        .filter(|(_, one)| !one.determined.is_disjoint(&variables))
        .map(|(index, _)| index)
        .collect()
}

/// Whether a rule whose body consists of a literal and these determinants is safe.
fn is_bound(literal: &Literal, about: &[usize], determinants: &[Determinant]) -> bool {
    let fluents = about.iter().map(|&index| &determinants[index].holds);
    let bound: BTreeSet<VariableId> = fluents.flat_map(Literal::variables).collect();
    matches!(literal, Literal::Positive(_)) || literal.variables().is_subset(&bound)
}

/// Puts back the determinants that the rest of a rule needs: those that no part contains,
/// and those whose variables are used.
fn restore(rule: &mut Rule, determinants: &[Determinant], covered: &BTreeSet<usize>) {
    let mut used = rule.head.variables();
    used.extend(rule.body.iter().flat_map(Literal::variables));
    loop {
        let is_needed = |(index, one): &(usize, &Determinant)| {
            let is_used = !one.determined.is_disjoint(&used) || !covered.contains(index);
            is_used && !rule.body.contains(&one.holds)
        };
        let Some((_, needed)) = determinants.iter().enumerate().find(is_needed) else {
            return;
        };
        used.extend(needed.holds.variables());
        rule.body.push(needed.holds.clone());
    }
}
