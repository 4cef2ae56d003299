//! Rule instances over numbered atoms: what simplification reads and leaves.

use crate::complemented_edge::ComplementedEdge;
use crate::ground::clause::Clauses;
use crate::ground::semi_naive::Fixpoint;
use crate::ground::table::hash_words;
use crate::id::{Id, IdVec, ids};
use crate::rules::RelationId;

ids! {
    /// An atom of a relation that varies, numbered over all such relations.
    pub struct VaryingAtomId;
}

/// An atom or its negation.
pub(in crate::ground) type VaryingLiteral = ComplementedEdge<VaryingAtomId>;

/// The numbering of atoms: those of one relation are neighbours.
pub(in crate::ground) struct VaryingAtoms {
    first: IdVec<RelationId, u32>,
    len: usize,
}

impl VaryingAtoms {
    pub fn number(fixpoint: &Fixpoint, clauses: &Clauses) -> Self {
        let mut len = 0;
        let first = clauses
            .predicates
            .ids()
            .map(|relation| {
                let first = len as u32;
                if clauses.varies(relation) {
                    len += fixpoint.store.tables[relation].len();
                }
                first
            })
            .collect();
        Self { first, len }
    }

    /// The number of atoms.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The number of the atom in a row of a relation.
    pub fn id(&self, relation: RelationId, row: u32) -> VaryingAtomId {
        VaryingAtomId::new((self.first[relation] + row) as usize)
    }
}

/// A rule; its body is a range of the conditions of a [`RuleList`].
#[derive(Debug, Clone, Copy)]
pub(in crate::ground) struct SimpleRule {
    pub head: VaryingAtomId,
    /// The number of the clause of which the rule is an instance.
    pub clause: u32,
    start: u32,
    end: u32,
}

impl SimpleRule {
    /// The number of conditions.
    pub const fn body_len(self) -> u32 {
        self.end - self.start
    }
}

/// Rules without variables.
#[derive(Default)]
pub(in crate::ground) struct RuleList {
    pub rules: Vec<SimpleRule>,
    /// The bodies of all rules, one after another.
    pub conditions: Vec<VaryingLiteral>,
}

impl RuleList {
    /// Appends a rule.
    pub fn push(&mut self, head: VaryingAtomId, clause: u32, body: &[VaryingLiteral]) {
        let start = self.conditions.len() as u32;
        self.conditions.extend_from_slice(body);
        self.rules.push(SimpleRule {
            head,
            clause,
            start,
            end: self.conditions.len() as u32,
        });
    }

    /// The conditions of a rule.
    pub fn body(&self, rule: SimpleRule) -> &[VaryingLiteral] {
        &self.conditions[rule.start as usize..rule.end as usize]
    }
}

/// The hash of a rule that does not depend on its clause.
pub fn hash_rule(head: VaryingAtomId, body: &[VaryingLiteral]) -> u32 {
    hash_words(
        head.index() as u32,
        body.iter().map(|condition| condition.bits()),
    )
}
