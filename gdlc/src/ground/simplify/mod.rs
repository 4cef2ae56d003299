//! Drops what is decided: [`Fixpoint`] to [`Simplified`].
//!
//! Atoms that always or never hold are removed from the bodies. So are the atoms
//! that this decides in turn, including those at later times: a fluent that does
//! not hold initially and that no rule can make true never holds; a move that is
//! never legal is never made. Then duplicate rules are dropped, and so are atoms
//! that nothing the ground program shows depends on.
//!
//! Afterwards no body contains a decided atom, an atom twice, or the head, and
//! the only rule of an atom that always holds is one with an empty body.

mod instances;
mod propagation;
mod rules;

pub(super) use rules::{RuleList, VaryingAtomId, VaryingAtoms};

use super::clause::Clauses;
use super::semi_naive::{Fixpoint, Instances};
use super::table::NumberTable;
use crate::id::IdVec;
use instances::read_instances;
use propagation::{Truth, UnitPropagation};
use rules::{VaryingLiteral, hash_rule};

/// Rules without variables and without decided atoms.
pub(super) struct Simplified {
    pub atoms: VaryingAtoms,
    truth: IdVec<VaryingAtomId, Truth>,
    /// Whether something that the ground program shows depends on an atom.
    pub needed: IdVec<VaryingAtomId, bool>,
    /// The rules that are left.
    pub rules: RuleList,
}

/// Simplifies the instances.
pub(super) fn simplify(fixpoint: &mut Fixpoint, clauses: &Clauses) -> Simplified {
    let atoms = VaryingAtoms::number(fixpoint, clauses);
    let instances = std::mem::replace(&mut fixpoint.instances, Instances { words: Vec::new() });
    let rules = read_instances(&instances, clauses, &atoms);
    drop(instances);
    let mut propagation = UnitPropagation::new(fixpoint, clauses, &atoms, &rules);
    for row in fixpoint.permanent.ones() {
        let atom = atoms.id(clauses.keywords.holds, row as u32);
        propagation.decide(atom, Truth::Always);
    }
    let truth = propagation.run();
    let rules = rebuild(&rules, &truth);
    let mut simplified = Simplified {
        needed: IdVec::filled(false, atoms.len()),
        atoms,
        truth,
        rules,
    };
    simplified.mark_needed(fixpoint, clauses);
    simplified
}

/// The rules without decided conditions, each once, in their old order.
fn rebuild(rules: &RuleList, truth: &IdVec<VaryingAtomId, Truth>) -> RuleList {
    let mut kept = RuleList::default();
    let mut known = NumberTable::default();
    let mut body = Vec::new();
    for &rule in &rules.rules {
        let before = rules.body(rule);
        let fails = |condition: &VaryingLiteral| {
            let fatal = if condition.inverted() {
                Truth::Always
            } else {
                Truth::Never
            };
            truth[condition.node()] == fatal
        };
        if before.iter().any(fails) {
            continue;
        }
        body.clear();
        let open = |condition: &&VaryingLiteral| truth[condition.node()] == Truth::Open;
        body.extend(before.iter().filter(open));
        // An atom that always holds needs one rule that says so, and no other.
        if truth[rule.head] == Truth::Always && !body.is_empty() {
            continue;
        }
        let hash = hash_rule(rule.head, &body);
        let same = |number: u32| {
            let other = kept.rules[number as usize];
            other.head == rule.head && kept.body(other) == body
        };
        if known.find(hash, same).is_none() {
            known.insert(hash, kept.rules.len() as u32);
            kept.push(rule.head, rule.clause, &body);
        }
    }
    kept
}

impl Simplified {
    /// Whether an atom can hold.
    pub fn is_possible(&self, atom: VaryingAtomId) -> bool {
        self.truth[atom] != Truth::Never
    }

    /// Marks everything that `legal`, `next`, `goal` and `terminal` depend on, and
    /// drops the other rules.
    fn mark_needed(&mut self, fixpoint: &Fixpoint, clauses: &Clauses) {
        let mut rules_of: IdVec<VaryingAtomId, (u32, u32)> =
            IdVec::filled((0, 0), self.atoms.len());
        let rules = &self.rules;
        let mut by_head: Vec<u32> = (0..rules.rules.len() as u32).collect();
        by_head.sort_by_key(|&rule| rules.rules[rule as usize].head);
        for (place, &rule) in (0u32..).zip(&by_head) {
            let range = &mut rules_of[rules.rules[rule as usize].head];
            if range.1 == 0 {
                range.0 = place;
            }
            range.1 = place + 1;
        }
        let mut pending = self.shown(fixpoint, clauses);
        while let Some(atom) = pending.pop() {
            if std::mem::replace(&mut self.needed[atom], true) {
                continue;
            }
            let (start, end) = rules_of[atom];
            for &rule in &by_head[start as usize..end as usize] {
                let body = rules.body(rules.rules[rule as usize]);
                pending.extend(body.iter().map(|condition| condition.node()));
            }
        }
        let needed = &self.needed;
        self.rules.rules.retain(|rule| needed[rule.head]);
    }

    /// The atoms that the ground program shows.
    fn shown(&self, fixpoint: &Fixpoint, clauses: &Clauses) -> Vec<VaryingAtomId> {
        let keywords = clauses.keywords;
        let mut shown = Vec::new();
        for relation in [
            keywords.legal,
            keywords.next,
            keywords.goal,
            keywords.terminal,
        ] {
            let rows = fixpoint.store.tables[relation].joined();
            shown.extend(
                rows.map(|row| self.atoms.id(relation, row))
                    .filter(|&atom| self.is_possible(atom)),
            );
        }
        shown
    }
}
