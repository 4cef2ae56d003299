//! How roles choose: which moves compete, and which can share a candidate.
//!
//! Input: a net and what is known of it. Output: [`Choices`]. A move that
//! excludes all other moves of its role needs no choice: it is made whenever it
//! is legal. The others are candidates of a uniform choice. Moves that exclude
//! each other share a candidate, since at most one of them is legal, which makes
//! the selection tree smaller; roles whose candidates exclude each other (turn
//! taking) share a choice. All of it is proved from the net, never assumed.

use crate::ground::{MoveId, RoleId};
use crate::id::{Id, IdVec};
use crate::net::analyses::{ImpliedLiterals, MutexGroups};
use crate::net::{Net, Node, Signal};
use std::cmp::Ordering;

/// How many pairs of a move and a candidate are compared in all: games with very
/// many moves would take quadratic time otherwise.
const COMPARISONS: usize = 2_000_000;

/// The choices of a game.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// The choices; a role's moves are candidates of one choice at most.
    pub choices: Vec<Choice>,
    /// For every move the choice that it belongs to.
    pub choice_of: IdVec<MoveId, Option<u32>>,
}

/// A uniform choice among the legal ones of some moves.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Sets of moves of which at most one is legal; together, all moves of the
    /// choice.
    pub candidates: Vec<Vec<MoveId>>,
}

impl Choices {
    /// Finds the choices of a net.
    #[must_use]
    pub fn find(net: &Net, implied: &ImpliedLiterals, groups: &MutexGroups) -> Self {
        let conditions: IdVec<MoveId, Conditions> = net
            .moves
            .iter()
            .map(|mv| Conditions::of(net, implied, groups, mv.legal))
            .collect();
        let mut found = Self {
            choices: Vec::new(),
            choice_of: IdVec::filled(None, net.moves.len()),
        };
        // For every choice, what is common to the moves of each of its roles.
        let mut common: Vec<Vec<Conditions>> = Vec::new();
        for role in net.roles.ids() {
            let competing = competing_moves(net, &conditions, role);
            let Some(shared) = Conditions::common(&conditions, &competing) else {
                continue;
            };
            let index = common
                .iter()
                .position(|others| others.iter().all(|other| other.exclude(&shared)))
                .unwrap_or_else(|| {
                    common.push(Vec::new());
                    found.choices.push(Choice::default());
                    common.len() - 1
                });
            common[index].push(shared);
            let tried = (COMPARISONS / competing.len()).max(1);
            for mv in competing {
                found.choices[index].add(mv, &conditions, tried);
                found.choice_of[mv] = Some(index as u32);
            }
        }
        found
    }
}

impl Choice {
    /// Adds a move to the first of the latest `tried` candidates all of whose
    /// moves exclude it.
    fn add(&mut self, mv: MoveId, conditions: &IdVec<MoveId, Conditions>, tried: usize) {
        let first = self.candidates.len().saturating_sub(tried);
        let fitting = self.candidates[first..].iter_mut().find(|candidate| {
            candidate
                .iter()
                .all(|&other| conditions[mv].exclude(&conditions[other]))
        });
        match fitting {
            Some(candidate) => candidate.push(mv),
            None => self.candidates.push(vec![mv]),
        }
    }
}

/// The moves of a role that may be legal together with another of its moves.
fn competing_moves(net: &Net, conditions: &IdVec<MoveId, Conditions>, role: RoleId) -> Vec<MoveId> {
    let moves: Vec<MoveId> = net
        .moves
        .iter_ids()
        .filter(|(_, mv)| mv.role == role && mv.legal != Signal::FALSE)
        .map(|(id, _)| id)
        .collect();
    let competes = |mv: &MoveId| {
        moves
            .iter()
            .any(|other| other != mv && !conditions[*mv].exclude(&conditions[*other]))
    };
    moves.iter().copied().filter(competes).collect()
}

/// What must hold for a move to be legal, as a sorted list that is quick to
/// compare with another.
#[derive(Debug, Clone, Default)]
struct Conditions(Vec<Condition>);

/// What a condition is about: a group of fluents of which at most one holds, or
/// a single node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Group(u32),
    Node(usize),
}

/// `subject` has this value, or does not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Condition {
    subject: Subject,
    value: usize,
    negated: bool,
}

impl Conditions {
    fn of(net: &Net, implied: &ImpliedLiterals, groups: &MutexGroups, signal: Signal) -> Self {
        let mut conditions = Vec::new();
        for &literal in implied.of(signal) {
            let negated = literal.inverted();
            let node = literal.node();
            conditions.push(Condition {
                subject: Subject::Node(node.index()),
                value: node.index(),
                negated,
            });
            if let Node::Base(base) = &net.nodes[node] {
                conditions.extend(groups.of_base[*base].iter().map(|&group| Condition {
                    subject: Subject::Group(group),
                    value: base.index(),
                    negated,
                }));
            }
        }
        conditions.sort_unstable();
        Self(conditions)
    }

    /// The conditions that all of some moves share; none if there is no move.
    fn common(all: &IdVec<MoveId, Self>, moves: &[MoveId]) -> Option<Self> {
        let (first, rest) = moves.split_first()?;
        let mut common = all[*first].clone();
        for &mv in rest {
            common
                .0
                .retain(|condition| all[mv].0.binary_search(condition).is_ok());
        }
        Some(common)
    }

    /// Whether the two can not hold together.
    fn exclude(&self, other: &Self) -> bool {
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
}

/// The conditions about the first one's subject, and the rest.
fn split_subject(conditions: &[Condition]) -> (&[Condition], &[Condition]) {
    let subject = conditions[0].subject;
    conditions.split_at(conditions.partition_point(|condition| condition.subject == subject))
}

impl Condition {
    /// Whether two conditions on one subject can not both hold.
    fn contradicts(self, other: Self) -> bool {
        let same = self.value == other.value;
        match (self.negated, other.negated) {
            (false, false) => !same,
            (true, false) | (false, true) => same,
            (true, true) => false,
        }
    }
}
