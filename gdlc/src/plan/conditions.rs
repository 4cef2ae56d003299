//! [`Conditions`]: what must hold for a move to be legal, and what follows from
//! it about two moves together.

use crate::ground::MoveId;
use crate::id::IdVec;
use crate::propnet::analyses::{ImpliedLiterals, MutexGroups};
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// The largest number of discriminating literals of a move: beyond it, reading its
/// legality is as quick.
const MOST_DISCRIMINATING: usize = 3;

/// What must hold for a move to be legal, as a sorted list that is quick to
/// compare with another.
#[derive(Debug, Clone, Default)]
pub struct Conditions(Vec<SubjectLiteral>);

/// What a condition is about: a group of fluents of which at most one holds, or a single
/// node. Groups come first; one word, since large games compare conditions millions of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ConditionSubject(u32);

impl ConditionSubject {
    /// Neither nodes nor groups have numbers as large as this.
    const NODES: u32 = 1 << 31;

    const fn group(group: u32) -> Self {
        Self(group)
    }

    fn node(node: PropNodeId) -> Self {
        Self(Self::NODES | Signal::of(node).bits() >> 1)
    }

    const fn is_node(self) -> bool {
        self.0 >= Self::NODES
    }
}

/// A signal that must hold, as something said about a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SubjectLiteral {
    subject: ConditionSubject,
    literal: Signal,
}

/// What some moves require of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Requirement {
    /// All that require anything of it require this.
    One(Signal),
    /// Different things.
    Several,
}

impl Conditions {
    /// Those of a signal.
    #[must_use]
    pub fn of(
        net: &Propnet,
        implied: &ImpliedLiterals,
        groups: &MutexGroups,
        signal: Signal,
    ) -> Self {
        Self::of_literals(net, groups, implied.of(signal))
    }

    /// Those of a conjunction of literals.
    #[must_use]
    pub fn of_literals(net: &Propnet, groups: &MutexGroups, literals: &[Signal]) -> Self {
        let mut conditions = Vec::new();
        for &literal in literals {
            let node = literal.node();
            conditions.push(SubjectLiteral {
                subject: ConditionSubject::node(node),
                literal,
            });
            // That a fluent of a group does not hold contradicts nothing but the fluent itself,
            // which is a subject of its own.
            if let PropNode::Base(base) = &net.nodes[node]
                && !literal.inverted()
            {
                conditions.extend(groups.of_base[*base].iter().map(|&group| SubjectLiteral {
                    subject: ConditionSubject::group(group),
                    literal,
                }));
            }
        }
        conditions.sort_unstable();
        Self(conditions)
    }

    /// The conditions that all of some moves share; none if there is no move.
    #[must_use]
    pub fn common(all: &IdVec<MoveId, Self>, moves: &[MoveId]) -> Option<Self> {
        let (first, rest) = moves.split_first()?;
        let mut common = all[*first].clone();
        for &mv in rest {
            common
                .0
                .retain(|condition| all[mv].0.binary_search(condition).is_ok());
        }
        Some(common)
    }

    /// The conditions of these moves, in their order, on subjects of which they require
    /// different things: all that tells which of the moves exclude each other.
    #[must_use]
    pub fn narrowed(all: &IdVec<MoveId, Self>, moves: &[MoveId]) -> Vec<Self> {
        let mut required: FxHashMap<ConditionSubject, Requirement> = FxHashMap::default();
        for condition in moves.iter().flat_map(|&mv| &all[mv].0) {
            let literal = condition.literal;
            (required.entry(condition.subject))
                .and_modify(|required| {
                    if *required != Requirement::One(literal) {
                        *required = Requirement::Several;
                    }
                })
                .or_insert(Requirement::One(literal));
        }
        let of_move = |&mv: &MoveId| {
            let conditions = all[mv].0.iter().copied();
            let is_told = |it: &SubjectLiteral| required[&it.subject] == Requirement::Several;
            Self(conditions.filter(is_told).collect())
        };
        moves.iter().map(of_move).collect()
    }

    /// Whether the two cannot hold together.
    #[must_use]
    pub fn exclude(&self, other: &Self) -> bool {
        let (mut left, mut right) = (&self.0[..], &other.0[..]);
        while let (Some(one), Some(two)) = (left.first(), right.first()) {
            match one.subject.cmp(&two.subject) {
                Ordering::Less => left = &left[1..],
                Ordering::Greater => right = &right[1..],
                Ordering::Equal => {
                    let (of_left, rest_left) = split_subject(left);
                    let (of_right, rest_right) = split_subject(right);
                    if of_left
                        .iter()
                        .any(|one| of_right.iter().any(|other| one.contradicts(*other)))
                    {
                        return true;
                    }
                    (left, right) = (rest_left, rest_right);
                }
            }
        }
        false
    }

    /// A few of these conditions such that each of the `others` contradicts one of them: the
    /// fewest found by greedily taking what most of the others contradict, the most frequent
    /// one among ties. None if it takes more than [`MOST_DISCRIMINATING`]; there can be at most
    /// 64 others.
    #[must_use]
    pub fn discriminate_from(
        &self,
        others: &[&Self],
        frequency: &Frequency,
    ) -> Option<Vec<Signal>> {
        let contradicted_by = |condition: &SubjectLiteral| {
            let contradict = others.iter().map(|other| other.contradict(*condition));
            let bits = contradict
                .enumerate()
                .map(|(bit, yes)| u64::from(yes) << bit);
            bits.fold(0, |all, bit| all | bit)
        };
        let mut useful: BTreeMap<Signal, u64> = BTreeMap::new();
        for condition in &self.0 {
            *useful.entry(condition.literal).or_default() |= contradicted_by(condition);
        }
        let mut left = u64::MAX.checked_shr(64 - others.len() as u32).unwrap_or(0);
        let mut discriminating = Vec::new();
        while left != 0 {
            let gain = |(literal, others): &(&Signal, &u64)| {
                (
                    (**others & left).count_ones(),
                    frequency.of_literal(**literal),
                    Reverse(**literal),
                )
            };
            let (literal, others) = useful.iter().max_by_key(gain)?;
            if others & left == 0 || discriminating.len() == MOST_DISCRIMINATING {
                return None;
            }
            left &= !others;
            discriminating.push(*literal);
        }
        Some(discriminating)
    }

    /// Whether one of these conditions cannot hold together with another.
    fn contradict(&self, condition: SubjectLiteral) -> bool {
        let first = self
            .0
            .partition_point(|own| own.subject < condition.subject);
        let same_subject = self.0[first..].iter();
        same_subject
            .take_while(|own| own.subject == condition.subject)
            .any(|own| own.contradicts(condition))
    }
}

/// How many moves have each literal among their conditions.
#[derive(Debug, Default)]
pub struct Frequency(FxHashMap<Signal, u32>);

impl Frequency {
    /// Counts.
    #[must_use]
    pub fn of<'c>(conditions: impl Iterator<Item = &'c Conditions>) -> Self {
        let mut frequency = Self::default();
        let conditions = conditions.flat_map(|conditions| &conditions.0);
        for condition in conditions.filter(|found| found.subject.is_node()) {
            *frequency.0.entry(condition.literal).or_default() += 1;
        }
        frequency
    }

    fn of_literal(&self, literal: Signal) -> u32 {
        self.0.get(&literal).copied().unwrap_or(0)
    }
}

/// The conditions about the first one's subject, and the rest.
fn split_subject(conditions: &[SubjectLiteral]) -> (&[SubjectLiteral], &[SubjectLiteral]) {
    let subject = conditions[0].subject;
    // Nearly always one: a binary search would take longer.
    let same = conditions.iter().take_while(|it| it.subject == subject);
    conditions.split_at(same.count())
}

impl SubjectLiteral {
    /// Whether two conditions on one subject cannot both hold.
    fn contradicts(self, other: Self) -> bool {
        let same = self.literal.node() == other.literal.node();
        match (self.literal.inverted(), other.literal.inverted()) {
            (false, false) => !same,
            (true, false) | (false, true) => same,
            (true, true) => false,
        }
    }
}
