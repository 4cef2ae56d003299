//! What stands beside the boards: turns and counters.

use super::axis::ordinal;
use super::relation::SeenRelation;
use crate::evidence::GameEvidence;
use crate::layout::RelationMeaning;
use std::collections::{BTreeMap, BTreeSet};

/// What the relations that are on no board mean.
pub(super) fn find(
    relations: &[SeenRelation<'_>],
    on_boards: &BTreeMap<String, RelationMeaning>,
    evidence: &GameEvidence,
) -> BTreeMap<String, RelationMeaning> {
    let rest = relations
        .iter()
        .filter(|relation| !on_boards.contains_key(relation.skeleton));
    let meanings = rest.filter_map(|relation| {
        let meaning = turn(relation, evidence).or_else(|| counter(relation, evidence))?;
        Some((relation.skeleton.to_owned(), meaning))
    });
    meanings.collect()
}

fn is_role(word: &str, evidence: &GameEvidence) -> bool {
    evidence
        .roles
        .iter()
        .any(|role| role.eq_ignore_ascii_case(word))
}

/// A relation that names a role in every state, and mostly the only one that has a choice.
fn turn(relation: &SeenRelation<'_>, evidence: &GameEvidence) -> Option<RelationMeaning> {
    if evidence.roles.len() < 2 || relation.arity > 2 {
        return None;
    }
    let names_roles = |&slot: &usize| {
        let domain = &relation.domains[slot];
        !domain.is_empty() && domain.iter().all(|word| is_role(word, evidence))
    };
    let slot = (0..relation.arity).find(names_roles)?;
    let (mut agree, mut all) = (0_usize, 0_usize);
    for (state, facts) in evidence.states.iter().zip(&relation.states) {
        let choosing: BTreeSet<&str> = (evidence.roles.iter().zip(&state.legal))
            .filter(|(_, legal)| legal.len() > 1)
            .map(|(role, _)| role.as_str())
            .collect();
        let [only] = choosing.iter().collect::<Vec<_>>()[..] else {
            continue;
        };
        all += 1;
        agree +=
            usize::from(matches!(facts[..], [words] if words[slot].eq_ignore_ascii_case(only)));
    }
    let is_turn = match all {
        0 => relation.is_single() && relation.domains[slot].len() >= 2,
        _ => 10 * agree >= 9 * all,
    };
    is_turn.then(|| RelationMeaning::Turn {
        role: slot,
        detail: relation.others(&[slot]),
    })
}

/// A relation with one value for the whole game, or for each role or thing. A value that is
/// nested would lose the names of its functions.
fn counter(relation: &SeenRelation<'_>, evidence: &GameEvidence) -> Option<RelationMeaning> {
    let make = |label: &[usize]| RelationMeaning::Counter {
        label: label.to_vec(),
        value: relation.others(label),
    };
    match relation.arity {
        _ if relation.is_nested() => None,
        0 => Some(make(&[])),
        1 | 2 if relation.is_single() => {
            let of_role = (0..relation.arity).find(|&slot| {
                relation.domains[slot]
                    .iter()
                    .all(|word| is_role(word, evidence))
            });
            Some(make(
                &of_role
                    .filter(|_| relation.arity == 2)
                    .into_iter()
                    .collect::<Vec<_>>(),
            ))
        }
        1 if relation.most <= 4 => Some(make(&[])),
        2 => {
            let numbers = |slot: usize| relation.domains[slot].iter().all(|word| is_numeral(word));
            let label = [0, 1]
                .into_iter()
                .find(|&slot| relation.is_key(&[slot]) && numbers(1 - slot));
            label
                .filter(|_| relation.most <= 40)
                .map(|slot| make(&[slot]))
        }
        _ => None,
    }
}

/// Whether a word is a number, perhaps with letters before it.
fn is_numeral(word: &str) -> bool {
    ordinal(word).is_some() && word.ends_with(|end: char| end.is_ascii_digit())
}
