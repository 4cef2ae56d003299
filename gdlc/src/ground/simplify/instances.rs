//! Reads recorded instances as rules over numbered atoms.

use super::rules::{RuleList, VaryingAtoms, VaryingLiteral};
use crate::ground::clause::Clauses;
use crate::ground::semi_naive::Instances;
use crate::rules::{Literal, RelationId};

/// The recorded instances, their bodies sorted and without repetitions. An
/// instance that contradicts itself or depends on its own head is left out.
pub fn read_instances(instances: &Instances, clauses: &Clauses, atoms: &VaryingAtoms) -> RuleList {
    let layouts: Vec<Vec<(RelationId, bool)>> = layouts(clauses);
    let mut rules = RuleList::default();
    let mut body = Vec::new();
    let mut words = instances.words.iter().copied();
    while let (Some(clause), Some(head)) = (words.next(), words.next()) {
        let head = atoms.id(clauses.clauses[clause as usize].head.relation, head);
        body.clear();
        let layout = &layouts[clause as usize];
        body.extend(layout.iter().zip(words.by_ref().take(layout.len())).map(
            |(&(relation, negated), row)| {
                VaryingLiteral::of(atoms.id(relation, row)).invert_if(negated)
            },
        ));
        body.sort_unstable();
        body.dedup();
        let contradicts = body.windows(2).any(|pair| pair[0].node() == pair[1].node());
        let circular = body.contains(&VaryingLiteral::of(head));
        if !contradicts && !circular {
            rules.push(head, clause, &body);
        }
    }
    rules
}

/// The literals that an instance of each clause records.
fn layouts(clauses: &Clauses) -> Vec<Vec<(RelationId, bool)>> {
    let varies = |relation: RelationId| clauses.varies(relation);
    let layout = |body: &[Literal]| {
        let positive = body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) if varies(atom.relation) => Some((atom.relation, false)),
            _ => None,
        });
        let negative = body.iter().filter_map(|literal| match literal {
            Literal::Negative(atom) if varies(atom.relation) => Some((atom.relation, true)),
            _ => None,
        });
        positive.chain(negative).collect()
    };
    clauses
        .clauses
        .iter()
        .map(|clause| layout(&clause.body))
        .collect()
}
