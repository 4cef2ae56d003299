//! Instantiates only what is asked for: [`Clauses`] to [`Clauses`].
//!
//! A relation such as `(count ?x ?y ?before ?after)`, which adds up a board cell
//! by cell, has far too many atoms, and is asked for with `?x`, `?y` and
//! `?before` given. Such relations get a guard: a relation over the given
//! arguments that holds what is asked for, and that every rule for the relation
//! requires. These are magic sets (Bancilhon, Maier, Sagiv, Ullman, Magic sets
//! and other strange ways to implement logic programs, 1986), except that
//! guards say what may be asked for in some state: they bound the instances and
//! are no part of them.
//!
//! Arguments count as given if, whoever asks, they are constants or come from
//! what the asking rule was itself asked for; in a recursion also if literals
//! further left bind them, as authors who think of evaluation from left to
//! right write them.
//!
//! Sound whatever is chosen: each literal over a guarded relation has a rule
//! that derives the guard whenever the rest of its own rule could hold.

use super::clause::{Clause, Clauses, Kind, Predicate};
use crate::id::{Id, IdVec};
use crate::rules::{Atom, Literal, RelationId, Term, VariableId};
use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// How much is guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guarding {
    /// What is given by constants, and recursion from there: costs next to
    /// nothing.
    Constants,
    /// All that literals further left bind, static relations included: costs a
    /// second join for every literal, and saves those games that are too large
    /// otherwise.
    Everything,
}

/// Adds guards where arguments are given.
pub(super) fn guard_relations(clauses: &mut Clauses, guarding: Guarding) {
    let analysis = Analysis {
        components: components(clauses),
        guarding,
    };
    let given = find_given(clauses, &analysis);
    let guards = declare_guards(clauses, &given);
    let mut added = Vec::new();
    for clause in &clauses.clauses {
        push_demands(clause, &analysis, &given, &guards, &mut added);
    }
    for clause in &mut clauses.clauses {
        if let Some(guard) = guard_of(&clause.head, &given, &guards) {
            clause.body.insert(0, Literal::Positive(guard));
        }
    }
    clauses.clauses.extend(added);
    clauses.spread_kinds();
}

/// What decides how far the left of a body counts.
struct Analysis {
    /// The strongly connected component of each relation.
    components: IdVec<RelationId, usize>,
    guarding: Guarding,
}

impl Analysis {
    /// Whether the literals left of `atom` may give its arguments.
    fn looks_left(&self, head: &Atom, atom: &Atom) -> bool {
        self.guarding == Guarding::Everything
            || self.components[head.relation] == self.components[atom.relation]
    }
}

/// The arguments of each relation that are given.
type Given = IdVec<RelationId, FixedBitSet>;
/// The guard of each relation that has one.
type Guards = IdVec<RelationId, Option<RelationId>>;

/// The strongly connected component of each relation.
fn components(clauses: &Clauses) -> IdVec<RelationId, usize> {
    let mut graph: DiGraph<RelationId, ()> = DiGraph::new();
    for relation in clauses.predicates.ids() {
        graph.add_node(relation);
    }
    for clause in &clauses.clauses {
        for (atom, _) in clause.body.iter().filter_map(Literal::atom) {
            let node = |relation: RelationId| NodeIndex::new(relation.index());
            graph.add_edge(node(clause.head.relation), node(atom.relation), ());
        }
    }
    let mut component_of = IdVec::filled(0, clauses.predicates.len());
    for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
        for member in component {
            component_of[graph[member]] = number;
        }
    }
    component_of
}

/// Starts with all arguments of all views and takes away those that some
/// literal does not give.
fn find_given(clauses: &Clauses, analysis: &Analysis) -> Given {
    let evaluated_late = can_be_late(clauses, analysis.guarding);
    let is_view = |relation| {
        !clauses.keywords.contains(relation)
            && (clauses.varies(relation) || evaluated_late[relation])
    };
    let mut given: Given = clauses
        .predicates
        .iter_ids()
        .map(|(relation, predicate)| {
            let mut all = FixedBitSet::with_capacity(predicate.arity);
            all.set_range(.., is_view(relation));
            all
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in &clauses.clauses {
            for (position, atom) in views(clause, &given) {
                let known = known_to(clause, position, atom, analysis, &given);
                let kept = given_args(atom, &given, &known);
                changed |= kept != given[atom.relation];
                given[atom.relation] = kept;
            }
        }
    }
    given
}

/// The static relations that may be evaluated together with those that vary:
/// defined by rules, and needed neither before nor complete, as a negative
/// literal would.
fn can_be_late(clauses: &Clauses, guarding: Guarding) -> IdVec<RelationId, bool> {
    let mut late = IdVec::filled(false, clauses.predicates.len());
    if guarding == Guarding::Constants {
        return late;
    }
    for clause in &clauses.clauses {
        let head = clause.head.relation;
        let is_view = !clauses.varies(head) && !clauses.keywords.contains(head);
        late[head] |= is_view && !clause.body.is_empty();
    }
    let mut changed = true;
    while changed {
        changed = false;
        for clause in &clauses.clauses {
            let head = clause.head.relation;
            let head_is_late = clauses.varies(head) || late[head];
            for (atom, negated) in clause.body.iter().filter_map(Literal::atom) {
                let needed = negated || !head_is_late;
                changed |= needed && late[atom.relation];
                late[atom.relation] &= !needed;
            }
        }
    }
    late
}

/// The literals whose relation has given arguments, with their positions.
fn views<'a>(clause: &'a Clause, given: &Given) -> Vec<(usize, &'a Atom)> {
    let atoms = clause.body.iter().enumerate();
    atoms
        .filter_map(|(position, literal)| literal.atom().map(|(atom, _)| (position, atom)))
        .filter(|(_, atom)| !given[atom.relation].is_clear())
        .collect()
}

/// The variables that count as given for a literal.
fn known_to(
    clause: &Clause,
    position: usize,
    atom: &Atom,
    analysis: &Analysis,
    given: &Given,
) -> BTreeSet<VariableId> {
    let mut known = BTreeSet::new();
    for argument in given[clause.head.relation].ones() {
        clause.head.args[argument].for_each_variable(&mut |variable| {
            known.insert(variable);
        });
    }
    if analysis.looks_left(&clause.head, atom) {
        for literal in &clause.body[..position] {
            if let Literal::Positive(atom) = literal {
                for arg in &atom.args {
                    arg.for_each_variable(&mut |variable| {
                        known.insert(variable);
                    });
                }
            }
        }
    }
    known
}

/// The given arguments of an atom's relation that this atom gives.
fn given_args(atom: &Atom, given: &Given, known: &BTreeSet<VariableId>) -> FixedBitSet {
    let mut kept = given[atom.relation].clone();
    for (position, arg) in atom.args.iter().enumerate() {
        arg.for_each_variable(&mut |variable| {
            if !known.contains(&variable) {
                kept.set(position, false);
            }
        });
    }
    kept
}

fn declare_guards(clauses: &mut Clauses, given: &Given) -> Guards {
    let mut guards: Guards = IdVec::filled(None, clauses.predicates.len());
    for (relation, args) in given.iter_ids() {
        if !args.is_clear() {
            let guard = clauses.predicates.push(Predicate {
                name: format!("asked-{}", clauses.predicates[relation].name),
                arity: args.count_ones(..),
                kind: Kind::Static,
                highest: Kind::Guard,
            });
            guards[relation] = Some(guard);
        }
    }
    guards
}

/// The guard of an atom.
fn guard_of(atom: &Atom, given: &Given, guards: &Guards) -> Option<Atom> {
    let relation = guards[atom.relation]?;
    let args = given[atom.relation].ones();
    Some(Atom {
        relation,
        args: args.map(|position| atom.args[position].clone()).collect(),
        span: atom.span,
    })
}

/// For each literal over a guarded relation the rule that derives its guard.
fn push_demands(
    clause: &Clause,
    analysis: &Analysis,
    given: &Given,
    guards: &Guards,
    added: &mut Vec<Clause>,
) {
    let asked: Option<Literal> = guard_of(&clause.head, given, guards).map(Literal::Positive);
    for (position, atom) in views(clause, given) {
        let Some(guard) = guard_of(atom, given, guards) else {
            continue;
        };
        let mut body: Vec<Literal> = asked.clone().into_iter().collect();
        if analysis.looks_left(&clause.head, atom) && !binds(&body, &guard.args) {
            let left = clause.body[..position].iter();
            body.extend(
                left.filter(|literal| matches!(literal, Literal::Positive(_)))
                    .cloned(),
            );
        }
        added.push(Clause {
            head: guard,
            body,
            variables: clause.variables,
            origin: clause.origin,
        });
    }
}

fn binds(body: &[Literal], args: &[Term]) -> bool {
    let mut bound = BTreeSet::new();
    for (atom, _) in body.iter().filter_map(Literal::atom) {
        for arg in &atom.args {
            arg.for_each_variable(&mut |variable| {
                bound.insert(variable);
            });
        }
    }
    let mut all = true;
    for arg in args {
        arg.for_each_variable(&mut |variable| all &= bound.contains(&variable));
    }
    all
}
