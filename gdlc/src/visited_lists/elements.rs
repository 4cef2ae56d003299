//! Whether each element identifies the atom that adds it.

use super::recursion::Recursion;
use crate::rules::{Atom, Literal, Program, Rule, RuleId, SymbolId, Term, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// All elements that rules may add, if each of them belongs to only one choice of the arguments
/// that change during the recursion.
pub(super) fn identifying_elements(
    program: &Program,
    recursion: &Recursion,
) -> Option<Vec<SymbolId>> {
    let rules = recursion.extending.iter();
    let mut heads = rules.map(|&(rule, _)| &program.rules[rule].head);
    let first = heads.next()?;
    if heads.any(|head| head.relation != first.relation) {
        return None;
    }
    let unchanged = unchanged_arguments(program, recursion, first.args.len());
    let changing: Vec<usize> = (0..first.args.len())
        .filter(|position| *position != recursion.position && !unchanged.contains(position))
        .collect();
    let mut places: BTreeMap<SymbolId, Vec<&Term>> = BTreeMap::new();
    for &(id, element) in &recursion.extending {
        let rule = &program.rules[id];
        let kept = literals_kept(recursion, id, rule);
        for (element, place) in listed_places(program, rule, kept, element, &changing)? {
            if *places.entry(element).or_insert_with(|| place.clone()) != place {
                return None;
            }
        }
    }
    Some(places.into_keys().collect())
}

/// The arguments that every rule passes on unchanged.
fn unchanged_arguments(program: &Program, recursion: &Recursion, arity: usize) -> BTreeSet<usize> {
    let mut unchanged: BTreeSet<usize> = (0..arity).collect();
    for &rule in recursion.about_lists.keys() {
        let rule = &program.rules[rule];
        for (atom, _) in rule.body.iter().filter_map(Literal::atom) {
            if recursion.relations.contains(&atom.relation) {
                unchanged.retain(|&at| rule.head.args[at] == atom.args[at]);
            }
        }
    }
    unchanged
}

/// The literals of a rule that are not about lists.
fn literals_kept<'a>(
    recursion: &'a Recursion,
    id: RuleId,
    rule: &'a Rule,
) -> impl Iterator<Item = &'a Literal> {
    let about_lists = recursion.about_lists.get(&id);
    let is_kept = move |at: &usize| about_lists.is_none_or(|about| !about.contains(at));
    let literals = rule.body.iter().enumerate();
    literals
        .filter(move |(at, _)| is_kept(at))
        .map(|(_, literal)| literal)
}

/// The elements that a rule may add, each with the changing arguments of its head, if the facts
/// of one of these literals list both.
fn listed_places<'a, 'l>(
    program: &'a Program,
    rule: &Rule,
    mut literals: impl Iterator<Item = &'l Literal>,
    element: VariableId,
    changing: &[usize],
) -> Option<Vec<(SymbolId, Vec<&'a Term>)>> {
    let place: Vec<&Term> = changing.iter().map(|&at| &rule.head.args[at]).collect();
    let element = Term::Variable(element);
    let position = |atom: &Atom, wanted: &Term| atom.args.iter().position(|arg| arg == wanted);
    let ((element, place), facts) = literals.find_map(|literal| {
        let Literal::Positive(atom) = literal else {
            return None;
        };
        let place = place.iter().map(|arg| position(atom, arg));
        let columns = (
            position(atom, &element)?,
            place.collect::<Option<Vec<_>>>()?,
        );
        Some((columns, program.listed_facts(atom)?))
    })?;
    let of_fact = |fact: &'a Rule| match fact.head.args[element] {
        Term::Constant(symbol) => {
            let place = place.iter().map(|&column| &fact.head.args[column]);
            Some((symbol, place.collect()))
        }
        Term::Variable(_) | Term::Function(..) => None,
    };
    facts.into_iter().map(of_fact).collect()
}
