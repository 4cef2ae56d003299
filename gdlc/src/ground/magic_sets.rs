//! Restricts instantiation to what is asked for: [`Clauses`] to [`Clauses`].
//!
//! A relation such as `(count ?x ?y ?before ?after)`, which adds up a board cell
//! by cell, has far too many atoms, and is only ever asked for with `?x`, `?y`
//! and `?before` bound. Such a relation gets a magic predicate: a relation over
//! the bound arguments that holds what is asked for, and that every rule for the
//! relation requires. These are magic sets (Bancilhon, Maier, Sagiv, Ullman,
//! Magic sets and other strange ways to implement logic programs, 1986), except
//! that magic predicates say what may be asked for in some state: they limit the
//! instances and are no part of them.
//!
//! An argument counts as bound if, in every literal of the relation, it is a
//! constant or comes from the bound arguments of the rule's own head; in a
//! recursion also if literals further left bind it, which is how authors who
//! think of evaluation from left to right write rules. The scope says which other
//! literals bind arguments.
//!
//! Any choice of bound arguments is sound: each literal over a relation with a
//! magic predicate has a rule that derives the predicate whenever the rest of
//! its own rule could hold.

use super::clause::{Clause, Clauses, Predicate, PredicateKind};
use crate::components::Components;
use crate::id::IdVec;
use crate::rules::{Atom, Literal, RelationId, Term, VariableId};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// Which relations get magic predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MagicSetScope {
    /// Those with arguments bound by constants, and recursion from there: costs
    /// next to nothing.
    Constants,
    /// Those with arguments bound by any literal further left: costs a second join
    /// for every literal, and makes games fit that are otherwise too large.
    Varying,
    /// The same, with static literals further right binding arguments, too: helps games
    /// whose authors put a query before the literals that bind its arguments, but makes
    /// magic predicates too large where such literals say only that an argument is a
    /// number.
    VaryingByStatics,
    /// As `Varying`, and static relations too: for games whose static relations cannot
    /// be evaluated in full.
    Everything,
}

/// Adds a magic predicate to every relation that has bound arguments.
pub(super) fn add_magic_predicates(clauses: &mut Clauses, scope: MagicSetScope) {
    let analysis = Analysis {
        components: components(clauses),
        is_static: static_relations(clauses),
        scope,
    };
    let bound = find_bound(clauses, &analysis);
    let predicates = declare_magic_predicates(clauses, &bound);
    let mut added = Vec::new();
    for clause in &clauses.clauses {
        push_magic_rules(clause, &analysis, &bound, &predicates, &mut added);
    }
    for clause in &mut clauses.clauses {
        if let Some(magic) = magic_atom(&clause.head, &bound, &predicates) {
            clause.body.insert(0, Literal::Positive(magic));
        }
    }
    clauses.clauses.extend(added);
    clauses.spread_kinds();
}

/// Decides which literals beside a literal bind its variables.
struct Analysis {
    components: Components<RelationId>,
    is_static: IdVec<RelationId, bool>,
    scope: MagicSetScope,
}

impl Analysis {
    /// Whether other literals of its rule may bind the arguments of `atom`.
    fn looks_aside(&self, head: &Atom, atom: &Atom) -> bool {
        self.scope != MagicSetScope::Constants
            || self.components.are_connected(head.relation, atom.relation)
    }

    /// The positive literals that may bind the arguments of the literal at this position.
    fn binding<'a>(
        &'a self,
        clause: &'a Clause,
        position: usize,
    ) -> impl Iterator<Item = &'a Literal> {
        let looks_right = self.scope == MagicSetScope::VaryingByStatics;
        let literals = clause.body.iter().enumerate();
        let may_bind = move |place: usize, literal: &Literal| match literal {
            Literal::Positive(atom) => {
                place < position || looks_right && self.is_static[atom.relation]
            }
            Literal::Negative(_) | Literal::Distinct(..) => false,
        };
        literals.filter_map(move |(place, literal)| may_bind(place, literal).then_some(literal))
    }
}

/// The bound arguments of each relation.
type BoundArguments = IdVec<RelationId, FixedBitSet>;
/// The magic predicate of each relation that has one.
type MagicPredicates = IdVec<RelationId, Option<RelationId>>;

/// Which relations are the same in every state.
fn static_relations(clauses: &Clauses) -> IdVec<RelationId, bool> {
    let relations = clauses.predicates.iter_ids();
    relations
        .map(|(relation, _)| !clauses.varies(relation))
        .collect()
}

/// Which relations depend on one another.
fn components(clauses: &Clauses) -> Components<RelationId> {
    let edges = clauses.clauses.iter().flat_map(|clause| {
        let atoms = clause.body.iter().filter_map(Literal::atom);
        atoms.map(|(atom, _)| (clause.head.relation, atom.relation))
    });
    Components::find(clauses.predicates.len(), edges)
}

/// Starts with all arguments of all views and drops those that some literal
/// leaves unbound.
fn find_bound(clauses: &Clauses, analysis: &Analysis) -> BoundArguments {
    let evaluated_late = can_be_late(clauses, analysis.scope);
    let is_view = |relation| {
        !clauses.keywords.contains(relation)
            && (clauses.varies(relation) || evaluated_late[relation])
    };
    let mut bound: BoundArguments = clauses
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
            for (position, atom) in views(clause, &bound) {
                let known = known_variables(clause, position, atom, analysis, &bound);
                let kept = bound_args(atom, &bound, &known);
                changed |= kept != bound[atom.relation];
                bound[atom.relation] = kept;
            }
        }
    }
    bound
}

/// The static relations that may be evaluated together with those that vary:
/// they are defined by rules, and no relation needs them earlier or complete, as
/// a negative literal would.
fn can_be_late(clauses: &Clauses, scope: MagicSetScope) -> IdVec<RelationId, bool> {
    let mut late = IdVec::filled(false, clauses.predicates.len());
    if scope != MagicSetScope::Everything {
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

/// The literals whose relation has bound arguments, with their positions.
fn views<'a>(clause: &'a Clause, bound: &BoundArguments) -> Vec<(usize, &'a Atom)> {
    let atoms = clause.body.iter().enumerate();
    atoms
        .filter_map(|(position, literal)| literal.atom().map(|(atom, _)| (position, atom)))
        .filter(|(_, atom)| !bound[atom.relation].is_clear())
        .collect()
}

/// The variables that count as bound when a literal is reached.
fn known_variables(
    clause: &Clause,
    position: usize,
    atom: &Atom,
    analysis: &Analysis,
    bound: &BoundArguments,
) -> BTreeSet<VariableId> {
    let mut known = BTreeSet::new();
    for argument in bound[clause.head.relation].ones() {
        clause.head.args[argument].for_each_variable(&mut |variable| {
            known.insert(variable);
        });
    }
    if analysis.looks_aside(&clause.head, atom) {
        let binding = analysis.binding(clause, position);
        for (atom, _) in binding.filter_map(Literal::atom) {
            atom.for_each_variable(&mut |variable| {
                known.insert(variable);
            });
        }
    }
    known
}

/// The bound arguments of an atom's relation that this atom binds.
fn bound_args(atom: &Atom, bound: &BoundArguments, known: &BTreeSet<VariableId>) -> FixedBitSet {
    let mut kept = bound[atom.relation].clone();
    for (position, arg) in atom.args.iter().enumerate() {
        arg.for_each_variable(&mut |variable| {
            if !known.contains(&variable) {
                kept.set(position, false);
            }
        });
    }
    kept
}

fn declare_magic_predicates(clauses: &mut Clauses, bound: &BoundArguments) -> MagicPredicates {
    let mut predicates: MagicPredicates = IdVec::filled(None, clauses.predicates.len());
    for (relation, args) in bound.iter_ids() {
        if !args.is_clear() {
            let predicate = clauses.predicates.push(Predicate {
                name: format!("asked-{}", clauses.predicates[relation].name),
                arity: args.count_ones(..),
                kind: PredicateKind::Static,
                highest: PredicateKind::Magic,
            });
            predicates[relation] = Some(predicate);
        }
    }
    predicates
}

/// The atom over the magic predicate that says that `atom` is asked for.
fn magic_atom(atom: &Atom, bound: &BoundArguments, predicates: &MagicPredicates) -> Option<Atom> {
    let relation = predicates[atom.relation]?;
    let args = bound[atom.relation].ones();
    Some(Atom {
        relation,
        args: args.map(|position| atom.args[position].clone()).collect(),
        span: atom.span,
    })
}

/// Adds, for each literal whose relation has a magic predicate, the rule that
/// derives the predicate.
fn push_magic_rules(
    clause: &Clause,
    analysis: &Analysis,
    bound: &BoundArguments,
    predicates: &MagicPredicates,
    added: &mut Vec<Clause>,
) {
    let asked: Option<Literal> = magic_atom(&clause.head, bound, predicates).map(Literal::Positive);
    for (position, atom) in views(clause, bound) {
        let Some(magic) = magic_atom(atom, bound, predicates) else {
            continue;
        };
        let mut body: Vec<Literal> = asked.clone().into_iter().collect();
        if analysis.looks_aside(&clause.head, atom) && !binds(&body, &magic.args) {
            body.extend(analysis.binding(clause, position).cloned());
        }
        added.push(Clause {
            head: magic,
            body,
            variables: clause.variables,
            origin: clause.origin,
        });
    }
}

/// Whether the literals contain all variables of the arguments.
fn binds(body: &[Literal], args: &[Term]) -> bool {
    let mut bound = BTreeSet::new();
    for (atom, _) in body.iter().filter_map(Literal::atom) {
        atom.for_each_variable(&mut |variable| {
            bound.insert(variable);
        });
    }
    let mut all = true;
    for arg in args {
        arg.for_each_variable(&mut |variable| all &= bound.contains(&variable));
    }
    all
}
