//! [`CandidateParts`]: splits a large choice into the choice of a group of moves and that
//! of a slot.
//!
//! Where a move has many parts ("from here to there, and an arrow to yonder"), its legality
//! is a conjunction of what its first parts require and of what the others require, given
//! the first. Moves that have their first parts in common form a *group*, and what they all
//! require is its *guard*. What a move requires beyond that is its *rest*; there are few
//! distinct rests. The last parts of a move are its *slot*: groups share slots. The rests
//! of a group that hold are then counted, once for all groups that share them. A group is
//! drawn in proportion to its count, and then a slot among those whose rest holds in that
//! group.
//!
//! Candidates are ordered by group and, within a group, by slot; a rank is a position in
//! this order, as in any other choice.

mod cover;
mod literal_sets;
mod selection;
mod sums;

pub(super) use cover::PartCover;
pub(super) use literal_sets::LiteralSets;
pub(super) use selection::PartSelection;

use crate::ground::{MoveId, RoleId};
use crate::propnet::{PropNode, Propnet, Signal};
use gdl_runtime::kif::GroundTerm;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

/// Choices among fewer moves stay as they are: a tree of candidates is small enough.
const FEWEST_MOVES: usize = 4096;

/// Moves that require more literals are not taken apart.
const MOST_LITERALS: usize = 128;

/// Alternatives inside alternatives are looked at to this depth.
const MOST_NESTED: usize = 2;

/// Disjunctions of more alternatives are literals, and nothing is known of them.
const MOST_ALTERNATIVES: usize = 4;

/// Roughly how many operations a group takes: its count is added up and compared.
const COST_OF_GROUP: usize = 40;

/// Roughly how many operations a rest takes in each slot in which it occurs, and for itself.
const COST_OF_REST: usize = 8;

/// Roughly how many operations a candidate takes in a choice that is not taken apart.
const COST_OF_CANDIDATE: usize = 8;

/// The candidates of a choice, taken apart.
#[derive(Debug, Clone, Default)]
pub struct CandidateParts {
    /// The groups, in the order of candidates.
    pub groups: Vec<PartGroup>,
    /// The different rests: sets of literals, ascending.
    pub rests: Vec<Vec<Signal>>,
    /// The number of slots.
    pub slots: usize,
}

/// Candidates that have their first parts in common.
#[derive(Debug, Clone)]
pub struct PartGroup {
    /// Sets of literals that exclude each other, one for each role whose moves these are.
    pub guards: Vec<Vec<Signal>>,
    /// The slot and the rest of every candidate.
    pub members: Vec<(u32, u32)>,
    /// The position of the first candidate.
    pub first: usize,
}

impl CandidateParts {
    /// Takes the moves of a choice apart, if that pays off: the parts, and the candidates in
    /// the order of ranks. `exclude` says whether two sets of literals never hold together.
    pub fn find(
        net: &Propnet,
        moves: &[MoveId],
        mut exclude: impl FnMut(&[Signal], &[Signal]) -> bool,
    ) -> Option<(Self, Vec<Vec<MoveId>>)> {
        if moves.len() < FEWEST_MOVES {
            return None;
        }
        let moves = MoveTerms::read(net, moves)?;
        let longest = moves.terms.iter().map(Vec::len).max()?;
        let (cost, length) = (1..longest)
            .map(|length| (moves.split(length).cost(), length))
            .min()?;
        if cost * 2 > moves.moves.len() * COST_OF_CANDIDATE {
            return None;
        }
        Some(moves.split(length).merge_roles(&mut exclude))
    }

    /// All literals of guards and rests, possibly with repetitions.
    pub fn literals(&self) -> impl Iterator<Item = Signal> {
        let guards = self.groups.iter().flat_map(|group| &group.guards);
        guards.chain(&self.rests).flatten().copied()
    }
}

/// Moves as terms, with what each requires.
struct MoveTerms {
    moves: Vec<MoveId>,
    roles: Vec<RoleId>,
    /// The name of the move and its arguments, numbered.
    terms: Vec<Vec<u32>>,
    literals: Vec<Vec<Signal>>,
}

impl MoveTerms {
    /// `None` if a name is not a term.
    fn read(net: &Propnet, moves: &[MoveId]) -> Option<Self> {
        let mut words: IndexSet<String> = IndexSet::new();
        let mut number = |word: String| words.insert_full(word).0 as u32;
        let mut terms = Vec::with_capacity(moves.len());
        for &mv in moves {
            let term = GroundTerm::parse(&net.moves[mv].name).ok()?;
            let mut parts = vec![number(term.symbol().to_owned())];
            parts.extend(term.args().iter().map(|arg| number(arg.to_string())));
            terms.push(parts);
        }
        Some(Self {
            moves: moves.to_vec(),
            roles: moves.iter().map(|&mv| net.moves[mv].role).collect(),
            terms,
            literals: (moves.iter())
                .map(|&mv| literals(net, net.moves[mv].legal, MOST_NESTED))
                .collect(),
        })
    }

    /// Groups by name and the first `length` - 1 arguments.
    fn split(&self, length: usize) -> MoveGroups<'_> {
        type Key<'a> = (Vec<u32>, RoleId);
        let mut by_key: IndexMap<Key<'_>, Vec<usize>> = IndexMap::new();
        for (index, term) in self.terms.iter().enumerate() {
            // The last of the common parts is the first sort key: what groups share
            // depends on it most.
            let mut first: Vec<u32> = term.iter().take(length).copied().collect();
            first.reverse();
            by_key
                .entry((first, self.roles[index]))
                .or_default()
                .push(index);
        }
        by_key.sort_unstable_keys();
        let mut split = MoveGroups {
            moves: self,
            length,
            groups: Vec::with_capacity(by_key.len()),
            rests: IndexSet::new(),
        };
        for ((key, _), indices) in by_key {
            split.add(key, indices);
        }
        split
    }
}

/// Moves in groups, each of one role.
struct MoveGroups<'a> {
    moves: &'a MoveTerms,
    length: usize,
    groups: Vec<MoveGroup>,
    rests: IndexSet<Vec<Signal>>,
}

struct MoveGroup {
    key: Vec<u32>,
    guard: Vec<Signal>,
    /// The moves with their rests, by index.
    members: Vec<(usize, u32)>,
}

impl MoveGroups<'_> {
    fn add(&mut self, key: Vec<u32>, indices: Vec<usize>) {
        let literals = |index: usize| &self.moves.literals[index];
        let guard = in_common(indices.iter().map(|&index| literals(index)));
        let members = indices.into_iter().map(|index| {
            let mut rest = literals(index).clone();
            rest.retain(|literal| guard.binary_search(literal).is_err());
            (index, self.rests.insert_full(rest).0 as u32)
        });
        let members = members.collect();
        self.groups.push(MoveGroup {
            key,
            guard,
            members,
        });
    }

    fn slot(&self, index: usize) -> &[u32] {
        let term = &self.moves.terms[index];
        &term[self.length.min(term.len())..]
    }

    /// Roughly how many operations the choice takes.
    fn cost(&self) -> usize {
        let mut placed: IndexSet<(&[u32], u32)> = IndexSet::new();
        for &(index, rest) in self.groups.iter().flat_map(|group| &group.members) {
            placed.insert((self.slot(index), rest));
        }
        self.groups.len() * COST_OF_GROUP + (placed.len() + self.rests.len()) * COST_OF_REST
    }

    /// Joins groups of different roles that differ in their guards only and exclude each
    /// other: their moves share candidates.
    fn merge_roles(
        self,
        exclude: &mut dyn FnMut(&[Signal], &[Signal]) -> bool,
    ) -> (CandidateParts, Vec<Vec<MoveId>>) {
        let members = self.groups.iter().flat_map(|group| &group.members);
        let mut slots: Vec<&[u32]> = members.map(|&(index, _)| self.slot(index)).collect();
        slots.sort_unstable();
        slots.dedup();
        let slot_numbers: FxHashMap<&[u32], u32> = slots.iter().copied().zip(0..).collect();
        let mut parts = CandidateParts {
            slots: slots.len(),
            ..CandidateParts::default()
        };
        let mut candidates: Vec<Vec<MoveId>> = Vec::new();
        let mut last_key: Option<&[u32]> = None;
        for group in &self.groups {
            let mut members: Vec<(u32, u32, MoveId)> = (group.members.iter())
                .map(|&(index, rest)| {
                    let slot = slot_numbers[self.slot(index)];
                    (slot, rest, self.moves.moves[index])
                })
                .collect();
            members.sort_unstable();
            let placed: Vec<(u32, u32)> = (members.iter())
                .map(|&(slot, rest, _)| (slot, rest))
                .collect();
            if let Some(other) = parts.groups.last_mut()
                && last_key == Some(&group.key)
                && other.members == placed
                && other
                    .guards
                    .iter()
                    .all(|guard| exclude(guard, &group.guard))
            {
                other.guards.push(group.guard.clone());
                for (candidate, (_, _, mv)) in candidates[other.first..].iter_mut().zip(members) {
                    candidate.push(mv);
                }
                continue;
            }
            last_key = Some(&group.key);
            parts.groups.push(PartGroup {
                guards: vec![group.guard.clone()],
                members: placed,
                first: candidates.len(),
            });
            candidates.extend(members.into_iter().map(|(_, _, mv)| vec![mv]));
        }
        parts.rests = self.rests.into_iter().collect();
        (parts, candidates)
    }
}

/// The literals whose conjunction a signal is, ascending: inputs and disjunctions, together
/// with what all alternatives of a disjunction require. A disjunction with an alternative
/// that follows from each of the others is that alternative.
fn literals(net: &Propnet, signal: Signal, depth: usize) -> Vec<Signal> {
    let mut found = Vec::new();
    let mut open = vec![signal];
    while let Some(next) = open.pop() {
        match (&net.nodes[next.node()], next.inverted()) {
            (PropNode::And(operands), false) => open.extend(operands),
            (PropNode::And(operands), true) if depth > 0 && operands.len() <= MOST_ALTERNATIVES => {
                let alternatives = operands.iter();
                let alternatives: Vec<Vec<Signal>> = alternatives
                    .map(|&operand| literals(net, !operand, depth - 1))
                    .collect();
                let common = in_common(&alternatives);
                if !alternatives.contains(&common) {
                    found.push(next);
                }
                found.extend(common);
            }
            _ => found.push(next),
        }
        if found.len() + open.len() > MOST_LITERALS {
            return vec![signal];
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&literal| literal != Signal::TRUE);
    found
}

/// The intersection of several sets, ascending as they are.
fn in_common<'a>(sets: impl IntoIterator<Item = &'a Vec<Signal>>) -> Vec<Signal> {
    let mut sets = sets.into_iter();
    let mut common = sets.next().cloned().unwrap_or_default();
    for set in sets {
        common.retain(|literal| set.binary_search(literal).is_ok());
    }
    common
}
