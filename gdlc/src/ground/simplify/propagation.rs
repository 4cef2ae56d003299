//! Decides atoms by unit propagation over the rules.

use super::rules::{RuleList, VaryingAtomId, VaryingAtoms};
use crate::ground::atom_table::Status;
use crate::ground::clause::Clauses;
use crate::ground::semi_naive::Fixpoint;
use crate::id::{Id as _, IdVec};
use std::ops::Range;

/// What is known about an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// Nothing: it depends on the state and the moves.
    Open,
    /// It holds in every state.
    Always,
    /// It holds in no state.
    Never,
}

/// The atoms decided so far, and what it takes to decide more.
pub struct UnitPropagation<'a> {
    rules: &'a RuleList,
    truth: IdVec<VaryingAtomId, Truth>,
    /// Atoms that were decided but have not been propagated yet.
    pending: Vec<VaryingAtomId>,
    /// The number of open conditions of each rule, or [`DEAD`] if one fails.
    open: Vec<u32>,
    /// The number of rules of each atom that can still fire.
    support: IdVec<VaryingAtomId, u32>,
    occurrences: Occurrences,
    /// The `true` or `does` atom that never holds if a `next` or `legal` atom
    /// never does.
    follower: IdVec<VaryingAtomId, Option<VaryingAtomId>>,
}

const DEAD: u32 = u32::MAX;

/// The rules whose bodies contain each atom.
struct Occurrences {
    /// Where the entries of each atom begin.
    first: Vec<u32>,
    /// The number of a rule, and whether it negates the atom.
    entries: Vec<(u32, bool)>,
}

impl Occurrences {
    fn find(rules: &RuleList, atoms: usize) -> Self {
        let mut first = vec![0u32; atoms + 1];
        for condition in &rules.conditions {
            first[condition.node().index() + 1] += 1;
        }
        for atom in 0..atoms {
            first[atom + 1] += first[atom];
        }
        let mut ends = first.clone();
        let mut entries = vec![(0, false); rules.conditions.len()];
        for (number, &rule) in rules.rules.iter().enumerate() {
            for condition in rules.body(rule) {
                let end = &mut ends[condition.node().index()];
                entries[*end as usize] = (number as u32, condition.inverted());
                *end += 1;
            }
        }
        Self { first, entries }
    }

    /// The range of an atom's entries.
    fn of(&self, atom: VaryingAtomId) -> Range<usize> {
        self.first[atom.index()] as usize..self.first[atom.index() + 1] as usize
    }
}

impl<'a> UnitPropagation<'a> {
    /// Nothing decided yet.
    pub fn new(
        fixpoint: &Fixpoint,
        clauses: &Clauses,
        atoms: &VaryingAtoms,
        rules: &'a RuleList,
    ) -> Self {
        let mut support = IdVec::filled(0, atoms.len());
        for rule in &rules.rules {
            support[rule.head] += 1;
        }
        Self {
            rules,
            truth: IdVec::filled(Truth::Open, atoms.len()),
            pending: Vec::new(),
            open: rules.rules.iter().map(|rule| rule.body_len()).collect(),
            occurrences: Occurrences::find(rules, atoms.len()),
            follower: followers(fixpoint, clauses, atoms),
            support: supported_inputs(fixpoint, clauses, atoms, support),
        }
    }

    /// Decides all that follows.
    pub fn run(mut self) -> IdVec<VaryingAtomId, Truth> {
        for atom in self.support.ids() {
            if self.support[atom] == 0 {
                self.decide(atom, Truth::Never);
            }
        }
        for (number, rule) in self.rules.rules.iter().enumerate() {
            if self.open[number] == 0 {
                self.decide(rule.head, Truth::Always);
            }
        }
        while let Some(atom) = self.pending.pop() {
            for occurrence in self.occurrences.of(atom) {
                let (rule, negated) = self.occurrences.entries[occurrence];
                self.meet(
                    rule as usize,
                    (self.truth[atom] == Truth::Always) != negated,
                );
            }
        }
        self.truth
    }

    /// Decides an atom, unless it is decided already.
    pub fn decide(&mut self, atom: VaryingAtomId, truth: Truth) {
        if self.truth[atom] != Truth::Open {
            return;
        }
        self.truth[atom] = truth;
        self.pending.push(atom);
        if truth == Truth::Never
            && let Some(follower) = self.follower[atom]
        {
            self.decide(follower, Truth::Never);
        }
    }

    /// Records that one condition of a rule has been decided.
    fn meet(&mut self, rule: usize, holds: bool) {
        if self.open[rule] == DEAD {
            return;
        }
        let head = self.rules.rules[rule].head;
        if holds {
            self.open[rule] -= 1;
            if self.open[rule] == 0 {
                self.decide(head, Truth::Always);
            }
        } else {
            self.open[rule] = DEAD;
            self.support[head] -= 1;
            if self.support[head] == 0 {
                self.decide(head, Truth::Never);
            }
        }
    }
}

/// Adds the support of fluents and moves, which have no rules: those that can
/// hold count as supported.
fn supported_inputs(
    fixpoint: &Fixpoint,
    clauses: &Clauses,
    atoms: &VaryingAtoms,
    mut support: IdVec<VaryingAtomId, u32>,
) -> IdVec<VaryingAtomId, u32> {
    for relation in [clauses.keywords.holds, clauses.keywords.does] {
        let table = &fixpoint.store.tables[relation];
        for row in 0..table.len() as u32 {
            let possible = table.status(row) != Status::Mentioned;
            support[atoms.id(relation, row)] = u32::from(possible);
        }
    }
    support
}

/// `true(f)` follows `next(f)` unless f holds initially; `does(r, m)` follows
/// `legal(r, m)`.
fn followers(
    fixpoint: &Fixpoint,
    clauses: &Clauses,
    atoms: &VaryingAtoms,
) -> IdVec<VaryingAtomId, Option<VaryingAtomId>> {
    let keywords = clauses.keywords;
    let tables = &fixpoint.store.tables;
    let initially = &tables[keywords.init];
    let mut follower = IdVec::filled(None, atoms.len());
    let pairs = [
        (keywords.next, keywords.holds, Some(initially)),
        (keywords.legal, keywords.does, None),
    ];
    for (earlier, later, unless) in pairs {
        for row in tables[earlier].joined() {
            let args = tables[earlier].row(row);
            let holds_anyway = unless.is_some_and(|unless| unless.find(args).is_some());
            if let (false, Some(later_row)) = (holds_anyway, tables[later].find(args)) {
                follower[atoms.id(earlier, row)] = Some(atoms.id(later, later_row));
            }
        }
    }
    follower
}
