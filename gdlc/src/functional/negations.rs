//! Rewrites negations beside functional fluents.
//!
//! Beside `(true (f ?k))`, which determines `?k`, `(not (n ?x ?k))` becomes
//! `(not (n@1 ?x))`, where `n@1` has, for every rule of `n`, a rule whose body is
//! `(true (f ?k))` and the body of that rule. Facts of the original body that restrict
//! the variables are repeated, so that no more atoms of `n@1` are found than can be
//! asked for.

use super::claims::FunctionalNegation;
use super::unfolding::unfold;
use crate::id::{Id, IdVec};
use crate::rules::{
    Atom, Dependence, Literal, Program, Relation, RelationId, Rule, Term, VariableId, VariableOrder,
};
use std::collections::{BTreeMap, BTreeSet};

/// The program with all these negations rewritten; of several about one negated atom,
/// the one that determines the most arguments is used.
pub(super) fn rewrite_negations(program: &Program, negations: &[FunctionalNegation]) -> Program {
    let mut best: BTreeMap<_, &FunctionalNegation> = BTreeMap::new();
    for negation in negations {
        let kept = best
            .entry((negation.fluent.rule, negation.negated))
            .or_insert(negation);
        if negation.fluent.determined.len() > kept.fluent.determined.len() {
            *kept = negation;
        }
    }
    let mut unfolding = Unfolding {
        original: program,
        result: program.clone(),
        known: Vec::new(),
    };
    for negation in best.into_values() {
        unfolding.rewrite(negation);
    }
    unfolding.result
}

struct Unfolding<'a> {
    original: &'a Program,
    result: Program,
    /// The relations added so far, by what they mean.
    known: Vec<(Meaning, RelationId)>,
}

/// What a new relation stands for, over variables numbered in the order of their first
/// occurrence.
#[derive(PartialEq)]
struct Meaning {
    /// The relation and the arguments of the negated atom.
    negated: (RelationId, Vec<Term>),
    /// The arguments of the literal over `true`.
    holds: Vec<Term>,
    /// The literals of relations that do not vary.
    facts: Vec<(RelationId, Vec<Term>)>,
    /// The variables that the fluent determines.
    determined: Vec<VariableId>,
}

impl Unfolding<'_> {
    fn rewrite(&mut self, negation: &FunctionalNegation) {
        let rule = &self.original.rules[negation.fluent.rule];
        let (Literal::Negative(negated), Literal::Positive(holds)) = (
            &rule.body[negation.negated],
            &rule.body[negation.fluent.holds],
        ) else {
            return;
        };
        let Term::Function(_, args) = &holds.args[0] else {
            return;
        };
        let mut order = VariableOrder::default();
        let meaning = Meaning {
            negated: (negated.relation, order.all(&negated.args)),
            holds: order.all(&holds.args),
            facts: self.facts(rule, negated, holds, &mut order),
            determined: negation
                .fluent
                .determined
                .iter()
                .filter_map(|&position| match args[position] {
                    Term::Variable(variable) => Some(order.variable(variable)),
                    _ => None,
                })
                .collect(),
        };
        let shared = order.variables.iter().enumerate();
        let shared: Vec<Term> = shared
            .filter(|(number, _)| !meaning.determined.contains(&VariableId::new(*number)))
            .map(|(_, &variable)| Term::Variable(variable))
            .collect();
        let names = order.names(rule);
        let span = negated.span;
        let relation = self.relation_of(meaning, negated, holds, rule, names);
        self.result.rules[negation.fluent.rule].body[negation.negated] = Literal::Negative(Atom {
            relation,
            args: shared,
            span,
        });
    }

    /// The literals of relations that do not vary and whose variables all occur in the
    /// negated atom or the fluent.
    fn facts(
        &self,
        rule: &Rule,
        negated: &Atom,
        holds: &Atom,
        order: &mut VariableOrder,
    ) -> Vec<(RelationId, Vec<Term>)> {
        let shared: BTreeSet<VariableId> = &negated.variables() | &holds.variables();
        let atoms = rule.body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        });
        let relations = &self.original.relations;
        let facts = atoms.filter(|atom| {
            relations[atom.relation].dependence == Dependence::Static
                && atom.variables().is_subset(&shared)
        });
        facts
            .map(|atom| (atom.relation, order.all(&atom.args)))
            .collect()
    }

    /// The relation with this meaning, created on first use.
    fn relation_of(
        &mut self,
        meaning: Meaning,
        negated: &Atom,
        holds: &Atom,
        rule: &Rule,
        names: IdVec<VariableId, String>,
    ) -> RelationId {
        let known = self.known.iter().find(|(known, _)| *known == meaning);
        if let Some(&(_, relation)) = known {
            return relation;
        }
        let shared: Vec<Term> = names
            .ids()
            .filter(|variable| !meaning.determined.contains(variable))
            .map(Term::Variable)
            .collect();
        let name = format!(
            "{}@{}",
            self.original.relation_name(negated.relation),
            self.known.len() + 1
        );
        let symbol = self.result.symbols.push(name);
        let relation = self.result.relations.push(Relation {
            name: symbol,
            arity: shared.len(),
            keyword: None,
            dependence: Dependence::State,
        });
        let atom = |relation: RelationId, args: &[Term]| Atom {
            relation,
            args: args.to_vec(),
            span: negated.span,
        };
        let facts = meaning.facts.iter();
        let mut body: Vec<Literal> = facts
            .map(|(relation, args)| Literal::Positive(atom(*relation, args)))
            .collect();
        body.push(Literal::Positive(atom(holds.relation, &meaning.holds)));
        let call = atom(meaning.negated.0, &meaning.negated.1);
        let caller = Rule {
            head: atom(relation, &shared),
            body,
            variables: names,
            span: rule.span,
        };
        for rule in unfold(self.original, &caller, &call) {
            self.result.rules.push(rule);
        }
        self.known.push((meaning, relation));
        relation
    }
}
