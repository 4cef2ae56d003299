//! How roles choose: which moves compete, and which can share a candidate of a
//! choice.
//!
//! Input: a propnet and what is known of it. Output: [`Choices`]. A move that
//! excludes all other moves of its role needs no choice: it is made whenever it
//! is legal. The others are candidates of a uniform choice. Moves that exclude
//! each other share a candidate, since at most one of them is legal; this makes
//! the selection tree smaller. Roles whose candidates exclude each other (turn
//! taking) share a choice. All of this is proved from the propnet, never assumed.

use super::conditions::{Conditions, Frequency};
use super::parts::CandidateParts;
use crate::ground::{MoveId, RoleId};
use crate::id::{Id as _, IdVec};
use crate::propnet::analyses::{ImpliedLiterals, MutexGroups};
use crate::propnet::{Propnet, Signal};

/// The number of pairs of a move and a candidate that are compared in total: games
/// with very many moves would take quadratic time otherwise.
const COMPARISONS: usize = 2_000_000;

/// The moves of larger candidates are discriminated by their legality: otherwise
/// all pairs would have to be compared.
const MOST_DISCRIMINATED: usize = 64;

/// The choices of a game.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// The choices; a role's moves are candidates of one choice at most.
    pub choices: Vec<UniformChoice>,
    /// For every move the choice that it belongs to.
    pub choice_of: IdVec<MoveId, Option<u32>>,
    /// For every move of a choice, the discriminating literals: those whose
    /// conjunction identifies this move, assuming one of the candidate's moves is
    /// legal.
    pub discriminating: IdVec<MoveId, Vec<Signal>>,
}

/// A uniform choice among those of some moves that are legal.
#[derive(Debug, Clone, Default)]
pub struct UniformChoice {
    /// Sets of moves of which at most one is legal; together, all moves of the
    /// choice.
    pub candidates: Vec<Vec<MoveId>>,
    /// The parts of the candidates, if the choice was taken apart.
    pub parts: Option<CandidateParts>,
    /// The number of the first part among the moves: groups, then slots, are numbered after
    /// all moves, since whether a part is drawn is read in the same way as whether a move is
    /// made.
    pub first_part: usize,
}

impl Choices {
    /// Finds the choices of a propnet.
    #[must_use]
    pub fn find(net: &Propnet, implied: &ImpliedLiterals, groups: &MutexGroups) -> Self {
        let conditions: IdVec<MoveId, Conditions> = net
            .moves
            .iter()
            .map(|mv| Conditions::of(net, implied, groups, mv.legal))
            .collect();
        let mut found = Self {
            choices: Vec::new(),
            choice_of: IdVec::filled(None, net.moves.len()),
            discriminating: net.moves.iter().map(|mv| vec![mv.legal]).collect(),
        };
        let narrowed = narrow(net, &conditions);
        // Roles that share a choice are known to exclude each other.
        let exclude = |one: MoveId, other: MoveId| {
            net.moves[one].role != net.moves[other].role || narrowed[one].exclude(&narrowed[other])
        };
        // For every choice, what is common to the moves of each of its roles.
        let mut common: Vec<Vec<Conditions>> = Vec::new();
        for role in net.roles.ids() {
            let competing = competing_moves(net, &narrowed, role);
            let Some(shared) = Conditions::common(&conditions, &competing) else {
                continue;
            };
            let index = common
                .iter()
                .position(|others| others.iter().all(|other| other.exclude(&shared)))
                .unwrap_or_else(|| {
                    common.push(Vec::new());
                    found.choices.push(UniformChoice::default());
                    common.len() - 1
                });
            common[index].push(shared);
            let tried = (COMPARISONS / competing.len()).max(1);
            let others = found.choices[index].candidates.len();
            for (number, mv) in competing.into_iter().enumerate() {
                // Where not all can be compared: the moves of another role exclude this one,
                // each can share a candidate with one move of this role, and both roles' moves
                // are likely to be in the same order.
                let latest = found.choices[index].candidates.len().saturating_sub(tried);
                let first = if others > 0 {
                    number.min(latest)
                } else {
                    latest
                };
                found.choices[index].add(mv, exclude, first..first + tried);
                found.choice_of[mv] = Some(index as u32);
            }
        }
        found.take_apart(net, groups);
        found.find_discriminating(&conditions);
        found
    }

    /// Takes large choices apart.
    fn take_apart(&mut self, net: &Propnet, groups: &MutexGroups) {
        let mut numbers = net.moves.len();
        for choice in &mut self.choices {
            let moves: Vec<MoveId> = choice.candidates.iter().flatten().copied().collect();
            let exclude = |one: &[Signal], other: &[Signal]| {
                let [one, other] =
                    [one, other].map(|literals| Conditions::of_literals(net, groups, literals));
                one.exclude(&other)
            };
            let Some((parts, candidates)) = CandidateParts::find(net, &moves, exclude) else {
                continue;
            };
            choice.candidates = candidates;
            choice.first_part = numbers;
            numbers += parts.groups.len() + parts.slots;
            choice.parts = Some(parts);
        }
    }

    /// The number of moves of a propnet and of all parts.
    #[must_use]
    pub fn moves_and_parts(&self, net: &Propnet) -> usize {
        let parts = self
            .choices
            .iter()
            .filter_map(|choice| choice.parts.as_ref());
        let parts = parts.map(|parts| parts.groups.len() + parts.slots);
        net.moves.len() + parts.sum::<usize>()
    }

    /// Finds what distinguishes the moves of each candidate.
    fn find_discriminating(&mut self, conditions: &IdVec<MoveId, Conditions>) {
        let frequency = Frequency::of(conditions.iter());
        let candidates = self.choices.iter().flat_map(|choice| &choice.candidates);
        for candidate in candidates.filter(|candidate| candidate.len() <= MOST_DISCRIMINATED) {
            for &mv in candidate {
                let others = candidate.iter().filter(|&&other| other != mv);
                let others: Vec<_> = others.map(|&other| &conditions[other]).collect();
                if let Some(discriminating) = conditions[mv].discriminate_from(&others, &frequency)
                {
                    self.discriminating[mv] = discriminating;
                }
            }
        }
    }
}

impl UniformChoice {
    /// The number under which rules read whether a group is drawn.
    pub fn group(&self, group: u32) -> MoveId {
        MoveId::new(self.first_part + group as usize)
    }

    /// The number under which rules read whether a slot is drawn.
    pub fn slot(&self, slot: u32) -> MoveId {
        let groups = self.parts.as_ref().map_or(0, |parts| parts.groups.len());
        MoveId::new(self.first_part + groups + slot as usize)
    }

    /// Adds a move to the first of the candidates in a range all of whose moves exclude it.
    fn add(
        &mut self,
        mv: MoveId,
        exclude: impl Fn(MoveId, MoveId) -> bool,
        mut tried: std::ops::Range<usize>,
    ) {
        tried.end = tried.end.min(self.candidates.len());
        let fitting = self.candidates[tried]
            .iter_mut()
            .find(|candidate| candidate.iter().all(|&other| exclude(mv, other)));
        match fitting {
            Some(candidate) => candidate.push(mv),
            None => self.candidates.push(vec![mv]),
        }
    }
}

/// Of the conditions of all moves, those that tell which of a role's moves exclude each other.
fn narrow(net: &Propnet, conditions: &IdVec<MoveId, Conditions>) -> IdVec<MoveId, Conditions> {
    let mut narrowed = IdVec::filled(Conditions::default(), net.moves.len());
    for role in net.roles.ids() {
        let moves: Vec<MoveId> = net.possible_moves(role).collect();
        for (&mv, conditions) in moves.iter().zip(Conditions::narrowed(conditions, &moves)) {
            narrowed[mv] = conditions;
        }
    }
    narrowed
}

/// The moves of a role that may be legal together with another of its moves.
fn competing_moves(
    net: &Propnet,
    conditions: &IdVec<MoveId, Conditions>,
    role: RoleId,
) -> Vec<MoveId> {
    let moves: Vec<MoveId> = net.possible_moves(role).collect();
    let competes = |mv: &MoveId| {
        moves
            .iter()
            .any(|other| other != mv && !conditions[*mv].exclude(&conditions[*other]))
    };
    moves.iter().copied().filter(competes).collect()
}
