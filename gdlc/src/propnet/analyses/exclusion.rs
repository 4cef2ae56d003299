//! [`Exclusion`]: proofs that two signals never hold together.

use super::{ImpliedLiterals, MutexGroups, NeededMoves};
use crate::ground::{BaseId, MoveId};
use crate::id::Id;
use crate::propnet::{PropNode, Propnet, Signal};
use fixedbitset::FixedBitSet;

/// The number of nodes that one proof may visit.
const EFFORT_PER_PROOF: u32 = 4_000;

/// The number of nodes that all proofs together may visit.
const TOTAL_EFFORT: u64 = 3_000_000;

/// Proves that two signals never hold together in legal play, from what each implies,
/// the groups of mutually exclusive fluents, and the rule that a role makes exactly one
/// move at a time, a legal one. Sound but not complete.
pub struct Exclusion<'a> {
    known: Known<'a>,
    needed: Option<NeededMoves<'a>>,
    /// What `gathered` implies. Proofs compare one signal with many alternatives.
    literals: LiteralSet,
    gathered: Option<Signal>,
    /// By the bits of a signal, how its implications contradict each other, if they do; `None` if
    /// not yet asked.
    impossible: Vec<Option<Option<Contradiction>>>,
    /// What the signal that is being tested for such a contradiction implies.
    tested: LiteralSet,
    /// The groups that proofs relied on, or may have.
    assumed: FixedBitSet,
    /// What is left of the effort for the current proof.
    effort: u32,
    /// What is left of the effort for all proofs.
    total_effort: u64,
}

impl<'a> Exclusion<'a> {
    /// Proofs about a propnet; `groups` are assumed to hold in the current state.
    #[must_use]
    pub fn new(net: &'a Propnet, implied: &'a ImpliedLiterals, groups: &'a MutexGroups) -> Self {
        Self {
            known: Known {
                net,
                implied,
                groups,
            },
            needed: None,
            literals: LiteralSet::new(net, groups),
            gathered: None,
            impossible: vec![None; 2 * net.nodes.len()],
            tested: LiteralSet::new(net, groups),
            assumed: FixedBitSet::with_capacity(groups.groups.len()),
            effort: 0,
            total_effort: TOTAL_EFFORT,
        }
    }

    /// The same, but also comparing the moves that signals need, which takes memory for a
    /// set of moves for every node.
    #[must_use]
    pub fn with_needed_moves(mut self) -> Self {
        let Known {
            net,
            implied,
            groups,
        } = self.known;
        self.needed = Some(NeededMoves::new(net, implied, groups));
        self
    }

    /// Whether it can be proved that the two never hold together.
    pub fn proves(&mut self, first: Signal, second: Signal) -> bool {
        if self.total_effort == 0 {
            return false;
        }
        self.effort = EFFORT_PER_PROOF;
        let proved = self.search(first, second, 0);
        self.total_effort = self
            .total_effort
            .saturating_sub(u64::from(EFFORT_PER_PROOF - self.effort));
        proved
    }

    /// The groups that all proofs since the last call relied on, and possibly others: the proofs
    /// remain valid without the rest.
    pub fn take_assumed(&mut self) -> FixedBitSet {
        let none = FixedBitSet::with_capacity(self.known.groups.groups.len());
        std::mem::replace(&mut self.assumed, none)
    }

    fn search(&mut self, first: Signal, second: Signal, depth: u32) -> bool {
        if self.effort == 0 || depth > 40 {
            return false;
        }
        self.effort -= 1;
        if first == Signal::FALSE || second == Signal::FALSE || self.conflict(first, second) {
            return true;
        }
        if let Some(needed) = &mut self.needed
            && needed.prove_exclusion(first, second)
        {
            self.assumed.insert_range(..);
            return true;
        }
        let net = self.known.net;
        for (split, other) in [(first, second), (second, first)] {
            if let (true, PropNode::And(operands)) = (split.inverted(), &net.nodes[split.node()]) {
                // A disjunction: each alternative has to be excluded.
                return operands
                    .iter()
                    .all(|&operand| self.search(!operand, other, depth + 1));
            }
        }
        for (split, other) in [(first, second), (second, first)] {
            if let PropNode::And(operands) = &net.nodes[split.node()] {
                let branches = operands
                    .iter()
                    .filter(|operand| matches!(net.nodes[operand.node()], PropNode::And(_)));
                if branches
                    .copied()
                    .any(|operand| self.search(operand, other, depth + 1))
                {
                    return true;
                }
            }
        }
        false
    }

    /// Whether what the signals imply together is contradictory: two of these literals
    /// contradict each other.
    fn conflict(&mut self, first: Signal, second: Signal) -> bool {
        let found = (self.self_contradiction(first))
            .or_else(|| self.self_contradiction(second))
            .or_else(|| {
                self.gather(second);
                let (known, literals) = (self.known, &self.literals);
                let mut implied = known.implications(first);
                implied.find_map(|literal| literals.contradiction(&known, literal))
            });
        if let Some(Contradiction::Group(group)) = found {
            self.assumed.insert(group as usize);
        }
        found.is_some()
    }

    /// How a signal's implications contradict each other, if they do.
    fn self_contradiction(&mut self, signal: Signal) -> Option<Contradiction> {
        let (known, tested) = (self.known, &mut self.tested);
        *self.impossible[signal.bits() as usize].get_or_insert_with(|| {
            tested.begin();
            known.implications(signal).find_map(|literal| {
                tested.add(&known, literal);
                tested.contradiction(&known, literal)
            })
        })
    }

    /// Makes `literals` what a signal implies.
    fn gather(&mut self, signal: Signal) {
        if self.gathered.replace(signal) != Some(signal) {
            self.literals.begin();
            for literal in self.known.implications(signal) {
                self.literals.add(&self.known, literal);
            }
        }
    }
}

/// What is known of a propnet.
#[derive(Clone, Copy)]
struct Known<'a> {
    net: &'a Propnet,
    implied: &'a ImpliedLiterals,
    groups: &'a MutexGroups,
}

impl<'a> Known<'a> {
    /// What a signal implies, and what is implied by the legality of the moves that must be made
    /// then.
    fn implications(self, signal: Signal) -> impl Iterator<Item = Signal> {
        let literals = self.implied.of(signal).iter();
        literals.flat_map(move |&literal| {
            let legal = self.legality(literal).into_iter();
            let of_legal = legal.flat_map(move |legal| self.implied.of(legal).iter().copied());
            std::iter::once(literal).chain(of_legal)
        })
    }

    /// The signal of the legality of the move that a literal says is made.
    fn legality(self, literal: Signal) -> Option<Signal> {
        match &self.net.nodes[literal.node()] {
            PropNode::Does(mv) if !literal.inverted() => Some(self.net.moves[*mv].legal),
            _ => None,
        }
    }
}

/// Literals that are to hold together.
struct LiteralSet {
    /// The number of the set that is being gathered.
    current: u32,
    /// By the bits of a literal, the last set that had it.
    had: Vec<u32>,
    /// The fluent that holds of every group.
    fluents: Occupants<BaseId>,
    /// The move that every role makes.
    moves: Occupants<MoveId>,
}

impl LiteralSet {
    fn new(net: &Propnet, groups: &MutexGroups) -> Self {
        Self {
            current: 0,
            had: vec![0; 2 * net.nodes.len()],
            fluents: vec![None; groups.groups.len()],
            moves: vec![None; net.roles.len()],
        }
    }

    /// Begins with an empty set.
    fn begin(&mut self) {
        self.current += 1;
    }

    /// Adds a literal.
    fn add(&mut self, known: &Known<'_>, literal: Signal) {
        self.had[literal.bits() as usize] = self.current;
        if literal.inverted() {
            return;
        }
        match &known.net.nodes[literal.node()] {
            PropNode::Base(base) => {
                for &group in &known.groups.of_base[*base] {
                    enter(&mut self.fluents[group as usize], self.current, *base);
                }
            }
            PropNode::Does(mv) => {
                let role = known.net.moves[*mv].role;
                enter(&mut self.moves[role.index()], self.current, *mv);
            }
            _ => (),
        }
    }

    /// Why a literal cannot hold together with all those of the set, if it cannot.
    fn contradiction(&self, known: &Known<'_>, literal: Signal) -> Option<Contradiction> {
        if self.had[(!literal).bits() as usize] == self.current {
            return Some(Contradiction::Rules);
        }
        if literal.inverted() {
            return None;
        }
        match &known.net.nodes[literal.node()] {
            PropNode::Base(base) => (known.groups.of_base[*base].iter())
                .find(|&&group| has_another(&self.fluents[group as usize], self.current, *base))
                .map(|&group| Contradiction::Group(group)),
            PropNode::Does(mv) => {
                let role = known.net.moves[*mv].role;
                has_another(&self.moves[role.index()], self.current, *mv)
                    .then_some(Contradiction::Rules)
            }
            _ => None,
        }
    }
}

/// Why two literals do not hold together.
#[derive(Debug, Clone, Copy)]
enum Contradiction {
    /// One is the other's negation, or they are moves of one role.
    Rules,
    /// They are fluents of this group.
    Group(u32),
}

/// Places that hold at most one thing each, with the set that it belongs to.
type Occupants<I> = Vec<Option<(u32, I)>>;

/// Enters something for a set in a place, unless the place already holds something of the set.
fn enter<I: Copy>(place: &mut Option<(u32, I)>, set: u32, entry: I) {
    if place.as_ref().is_none_or(|(of, _)| *of != set) {
        *place = Some((set, entry));
    }
}

/// Whether a place holds something else of the set.
fn has_another<I: Copy + PartialEq>(place: &Option<(u32, I)>, set: u32, entry: I) -> bool {
    place
        .as_ref()
        .is_some_and(|(of, held)| *of == set && *held != entry)
}
