//! Drops what is decided: [`Fixpoint`] to [`Simplified`].
//!
//! Atoms that always hold or never can leave the bodies, and take along what
//! becomes decided by that, forwards in time too: a fluent that does not hold
//! initially and that no rule can make true never holds; a move that is never
//! legal is never made. Then rules that occur twice go, and atoms that nothing
//! the ground program shows depends on.
//!
//! Afterwards no body contains a decided atom, an atom twice, or the head, and
//! the only rule of an atom that always holds is one with an empty body.

use super::atom_table::Status;
use super::clause::Clauses;
use super::semi_naive::{Fixpoint, Instances};
use super::table::Table;
use crate::complemented_edge::ComplementedEdge;
use crate::id::{Id, IdVec, ids};
use crate::rules::{Literal, RelationId};

ids! {
    /// An atom of a relation that varies, numbered over all of them.
    pub struct VaryingAtomId;
}

/// What is known about an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    Open,
    Always,
    Never,
}

/// An atom or its negation.
pub(super) type VaryingLiteral = ComplementedEdge<VaryingAtomId>;

/// Rules without variables and without decided atoms.
pub(super) struct Simplified {
    pub nodes: VaryingAtoms,
    pub value: IdVec<VaryingAtomId, Truth>,
    /// Whether something that the ground program shows depends on an atom.
    pub needed: IdVec<VaryingAtomId, bool>,
    /// The rules that are left.
    pub rules: Vec<SimpleRule>,
    /// The bodies of all rules.
    pub conditions: Vec<VaryingLiteral>,
}

/// One rule; its body is a range of [`Simplified::conditions`].
#[derive(Debug, Clone, Copy)]
pub(super) struct SimpleRule {
    pub head: VaryingAtomId,
    /// The clause of which it is an instance.
    pub clause: u32,
    start: u32,
    end: u32,
}

impl Simplified {
    /// The conditions of a rule.
    pub fn body(&self, rule: SimpleRule) -> &[VaryingLiteral] {
        &self.conditions[rule.start as usize..rule.end as usize]
    }
}

/// The numbering of atoms: a relation's rows are neighbours.
pub(super) struct VaryingAtoms {
    first: IdVec<RelationId, u32>,
    len: usize,
}

impl VaryingAtoms {
    fn number(fixpoint: &Fixpoint, clauses: &Clauses) -> Self {
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

    /// The number of a row.
    pub fn node(&self, relation: RelationId, row: u32) -> VaryingAtomId {
        VaryingAtomId::new((self.first[relation] + row) as usize)
    }
}

/// Simplifies the instances.
pub(super) fn simplify(fixpoint: &mut Fixpoint, clauses: &Clauses) -> Simplified {
    let nodes = VaryingAtoms::number(fixpoint, clauses);
    let instances = std::mem::replace(&mut fixpoint.instances, Instances { words: Vec::new() });
    let (rules, conditions) = read_instances(&instances, clauses, &nodes);
    drop(instances);
    let mut propagation = UnitPropagation::new(fixpoint, clauses, &nodes, &rules, &conditions);
    for row in fixpoint.permanent.ones() {
        let node = nodes.node(clauses.keywords.holds, row as u32);
        propagation.decide(node, Truth::Always);
    }
    propagation.run();
    let value = propagation.value;
    let (rules, conditions) = rebuild(&rules, &conditions, &value);
    let mut simplified = Simplified {
        needed: IdVec::filled(false, nodes.len),
        nodes,
        value,
        rules,
        conditions,
    };
    simplified.mark_needed(fixpoint, clauses);
    simplified
}

/// Words to conditions; bodies sorted, without repetitions. A rule that
/// contradicts itself or follows from its own head is left out.
fn read_instances(
    instances: &Instances,
    clauses: &Clauses,
    nodes: &VaryingAtoms,
) -> (Vec<SimpleRule>, Vec<VaryingLiteral>) {
    let layouts: Vec<Vec<(RelationId, bool)>> = layouts(clauses);
    let (mut rules, mut conditions) = (Vec::new(), Vec::new());
    let mut body = Vec::new();
    let mut words = instances.words.iter().copied();
    while let (Some(clause), Some(head)) = (words.next(), words.next()) {
        let head = nodes.node(clauses.clauses[clause as usize].head.relation, head);
        body.clear();
        let layout = &layouts[clause as usize];
        body.extend(layout.iter().zip(words.by_ref().take(layout.len())).map(
            |(&(relation, negated), row)| {
                VaryingLiteral::of(nodes.node(relation, row)).invert_if(negated)
            },
        ));
        body.sort_unstable();
        body.dedup();
        let contradicts = body.windows(2).any(|pair| pair[0].node() == pair[1].node());
        let circular = body.contains(&VaryingLiteral::of(head));
        if !contradicts && !circular {
            push_rule(head, clause, &body, &mut rules, &mut conditions);
        }
    }
    (rules, conditions)
}

fn push_rule(
    head: VaryingAtomId,
    clause: u32,
    body: &[VaryingLiteral],
    rules: &mut Vec<SimpleRule>,
    conditions: &mut Vec<VaryingLiteral>,
) {
    let start = conditions.len() as u32;
    conditions.extend_from_slice(body);
    rules.push(SimpleRule {
        head,
        clause,
        start,
        end: conditions.len() as u32,
    });
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

/// Unit propagation over the rules.
struct UnitPropagation<'a> {
    rules: &'a [SimpleRule],
    value: IdVec<VaryingAtomId, Truth>,
    /// Atoms just decided.
    pending: Vec<VaryingAtomId>,
    /// Conditions of each rule that are open; [`DEAD`] if one fails.
    open: Vec<u32>,
    /// Rules of each atom that can still fire.
    support: IdVec<VaryingAtomId, u32>,
    /// The rules in whose body each atom occurs, with the sign.
    occurrences: Occurrences,
    /// What never holds once a `next` or `legal` atom never does.
    follower: IdVec<VaryingAtomId, Option<VaryingAtomId>>,
}

const DEAD: u32 = u32::MAX;

/// For each atom the rules that mention it, as one array.
struct Occurrences {
    first: Vec<u32>,
    entries: Vec<(u32, bool)>,
}

impl Occurrences {
    fn find(rules: &[SimpleRule], conditions: &[VaryingLiteral], nodes: usize) -> Self {
        let mut first = vec![0u32; nodes + 1];
        for condition in conditions {
            first[condition.node().index() + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut place = first.clone();
        let mut entries = vec![(0, false); conditions.len()];
        for (number, rule) in rules.iter().enumerate() {
            for condition in &conditions[rule.start as usize..rule.end as usize] {
                let place = &mut place[condition.node().index()];
                entries[*place as usize] = (number as u32, condition.inverted());
                *place += 1;
            }
        }
        Self { first, entries }
    }

    fn of(&self, node: VaryingAtomId) -> std::ops::Range<usize> {
        self.first[node.index()] as usize..self.first[node.index() + 1] as usize
    }
}

impl<'a> UnitPropagation<'a> {
    fn new(
        fixpoint: &Fixpoint,
        clauses: &Clauses,
        nodes: &VaryingAtoms,
        rules: &'a [SimpleRule],
        conditions: &[VaryingLiteral],
    ) -> Self {
        let mut support = IdVec::filled(0, nodes.len);
        for rule in rules {
            support[rule.head] += 1;
        }
        Self {
            rules,
            value: IdVec::filled(Truth::Open, nodes.len),
            pending: Vec::new(),
            open: rules.iter().map(|rule| rule.end - rule.start).collect(),
            occurrences: Occurrences::find(rules, conditions, nodes.len),
            follower: followers(fixpoint, clauses, nodes),
            support: supported_inputs(fixpoint, clauses, nodes, support),
        }
    }

    fn run(&mut self) {
        for node in self.support.ids() {
            if self.support[node] == 0 {
                self.decide(node, Truth::Never);
            }
        }
        for (number, rule) in self.rules.iter().enumerate() {
            if self.open[number] == 0 {
                self.decide(rule.head, Truth::Always);
            }
        }
        while let Some(node) = self.pending.pop() {
            for occurrence in self.occurrences.of(node) {
                let (rule, negated) = self.occurrences.entries[occurrence];
                self.meet(
                    rule as usize,
                    (self.value[node] == Truth::Always) != negated,
                );
            }
        }
    }

    fn decide(&mut self, node: VaryingAtomId, value: Truth) {
        if self.value[node] != Truth::Open {
            return;
        }
        self.value[node] = value;
        self.pending.push(node);
        if value == Truth::Never
            && let Some(follower) = self.follower[node]
        {
            self.decide(follower, Truth::Never);
        }
    }

    /// One condition of a rule has been decided.
    fn meet(&mut self, rule: usize, holds: bool) {
        if self.open[rule] == DEAD {
            return;
        }
        let head = self.rules[rule].head;
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

/// Fluents and moves have no rules: what can hold is supported from outside.
fn supported_inputs(
    fixpoint: &Fixpoint,
    clauses: &Clauses,
    nodes: &VaryingAtoms,
    mut support: IdVec<VaryingAtomId, u32>,
) -> IdVec<VaryingAtomId, u32> {
    for relation in [clauses.keywords.holds, clauses.keywords.does] {
        let table = &fixpoint.store.tables[relation];
        for row in 0..table.len() as u32 {
            let possible = table.status(row) != Status::Mentioned;
            support[nodes.node(relation, row)] = u32::from(possible);
        }
    }
    support
}

/// `next(f)` is followed by `true(f)` unless f holds initially, `legal(r, m)` by
/// `does(r, m)`.
fn followers(
    fixpoint: &Fixpoint,
    clauses: &Clauses,
    nodes: &VaryingAtoms,
) -> IdVec<VaryingAtomId, Option<VaryingAtomId>> {
    let keywords = clauses.keywords;
    let tables = &fixpoint.store.tables;
    let initially = &tables[keywords.init];
    let mut follower = IdVec::filled(None, nodes.len);
    let pairs = [
        (keywords.next, keywords.holds, Some(initially)),
        (keywords.legal, keywords.does, None),
    ];
    for (earlier, later, unless) in pairs {
        for row in tables[earlier].joined() {
            let args = tables[earlier].row(row);
            let holds_anyway = unless.is_some_and(|unless| unless.find(args).is_some());
            if let (false, Some(later_row)) = (holds_anyway, tables[later].find(args)) {
                follower[nodes.node(earlier, row)] = Some(nodes.node(later, later_row));
            }
        }
    }
    follower
}

/// The rules without decided conditions, each once, in their old order.
fn rebuild(
    rules: &[SimpleRule],
    conditions: &[VaryingLiteral],
    value: &IdVec<VaryingAtomId, Truth>,
) -> (Vec<SimpleRule>, Vec<VaryingLiteral>) {
    let mut kept: Vec<SimpleRule> = Vec::new();
    let mut left: Vec<VaryingLiteral> = Vec::new();
    let mut known = Table::default();
    let mut body = Vec::new();
    for rule in rules {
        let before = &conditions[rule.start as usize..rule.end as usize];
        let fails = before.iter().any(|condition| {
            value[condition.node()]
                == if condition.inverted() {
                    Truth::Always
                } else {
                    Truth::Never
                }
        });
        if fails {
            continue;
        }
        body.clear();
        let open = |condition: &&VaryingLiteral| value[condition.node()] == Truth::Open;
        body.extend(before.iter().filter(open));
        // Among the rules of an atom that always holds one says so.
        if value[rule.head] == Truth::Always && !body.is_empty() {
            continue;
        }
        let hash = hash_rule(rule.head, &body);
        let same = |number: u32| {
            let other = kept[number as usize];
            other.head == rule.head && left[other.start as usize..other.end as usize] == body[..]
        };
        if known.find(hash, same).is_none() {
            known.insert(hash, kept.len() as u32);
            push_rule(rule.head, rule.clause, &body, &mut kept, &mut left);
        }
    }
    (kept, left)
}

fn hash_rule(head: VaryingAtomId, body: &[VaryingLiteral]) -> u32 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = (head.index() as u64).wrapping_mul(MULTIPLIER);
    let hash = body.iter().fold(start, |hash, condition| {
        (hash.rotate_left(23) ^ u64::from(condition.bits())).wrapping_mul(MULTIPLIER)
    });
    (hash >> 32) as u32
}

impl Simplified {
    /// Everything that `legal`, `next`, `goal` and `terminal` depend on.
    fn mark_needed(&mut self, fixpoint: &Fixpoint, clauses: &Clauses) {
        let mut rules_of: IdVec<VaryingAtomId, (u32, u32)> = IdVec::filled((0, 0), self.nodes.len);
        let mut by_head: Vec<u32> = (0..self.rules.len() as u32).collect();
        by_head.sort_by_key(|&rule| self.rules[rule as usize].head);
        for (place, &rule) in (0u32..).zip(&by_head) {
            let range = &mut rules_of[self.rules[rule as usize].head];
            if range.1 == 0 {
                range.0 = place;
            }
            range.1 = place + 1;
        }
        let mut pending = self.shown(fixpoint, clauses);
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut self.needed[node], true) {
                continue;
            }
            let (start, end) = rules_of[node];
            for &rule in &by_head[start as usize..end as usize] {
                let body = self.body(self.rules[rule as usize]);
                pending.extend(body.iter().map(|condition| condition.node()));
            }
        }
        let needed = &self.needed;
        self.rules.retain(|rule| needed[rule.head]);
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
                rows.map(|row| self.nodes.node(relation, row))
                    .filter(|&node| self.value[node] != Truth::Never),
            );
        }
        shown
    }
}
