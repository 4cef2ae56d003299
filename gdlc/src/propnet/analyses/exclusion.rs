//! [`Exclusion`]: proofs that two signals never hold together.

use super::{ImpliedLiterals, MutexGroups, NeededMoves};
use crate::ground::{BaseId, MoveId};
use crate::id::Id;
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};

/// The number of nodes that one proof may visit.
const EFFORT_PER_PROOF: u32 = 4_000;

/// The number of nodes that all proofs together may visit.
const TOTAL_EFFORT: u64 = 3_000_000;

/// Proves that two signals never hold together in legal play, from what each implies,
/// the groups of mutually exclusive fluents, and the rule that a role makes exactly one
/// move at a time, a legal one. Sound but not complete.
pub struct Exclusion<'a> {
    net: &'a Propnet,
    implied: &'a ImpliedLiterals,
    groups: &'a MutexGroups,
    needed: Option<NeededMoves<'a>>,
    /// What two signals imply together.
    literals: LiteralSet,
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
            net,
            implied,
            groups,
            needed: None,
            literals: LiteralSet::new(net, groups),
            effort: 0,
            total_effort: TOTAL_EFFORT,
        }
    }

    /// The same, comparing the moves that signals need as well: takes memory for a set
    /// of moves for every node.
    #[must_use]
    pub fn with_needed_moves(mut self) -> Self {
        self.needed = Some(NeededMoves::new(self.net, self.implied, self.groups));
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
            return true;
        }
        let net = self.net;
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

    /// Whether what the signals imply together is contradictory.
    fn conflict(&mut self, first: Signal, second: Signal) -> bool {
        self.literals.begin();
        [first, second]
            .into_iter()
            .any(|signal| self.contradicts_others(signal))
    }

    /// Whether what a signal implies contradicts itself or what was gathered before, to which it
    /// is added.
    fn contradicts_others(&mut self, signal: Signal) -> bool {
        let implied = self.implied;
        implied.of(signal).iter().any(|&literal| {
            self.contradicts(literal)
                || self
                    .legality(literal)
                    .is_some_and(|legal| implied.of(legal).iter().any(|&one| self.contradicts(one)))
        })
    }

    /// The signal of the legality of the move that a literal says is made.
    fn legality(&self, literal: Signal) -> Option<Signal> {
        match self.node(literal.node()) {
            PropNode::Does(mv) if !literal.inverted() => Some(self.net.moves[*mv].legal),
            _ => None,
        }
    }

    /// Whether a literal contradicts what was gathered before, to which it is added.
    fn contradicts(&mut self, literal: Signal) -> bool {
        if self.literals.add(literal) {
            return true;
        }
        let net = self.net;
        let LiteralSet {
            current,
            fluents,
            moves,
            ..
        } = &mut self.literals;
        match &net.nodes[literal.node()] {
            PropNode::Base(base) if !literal.inverted() => (self.groups.of_base[*base].iter())
                .any(|&group| is_another(&mut fluents[group as usize], *current, *base)),
            PropNode::Does(mv) if !literal.inverted() => {
                let role = net.moves[*mv].role;
                is_another(&mut moves[role.index()], *current, *mv)
            }
            _ => false,
        }
    }

    fn node(&self, id: PropNodeId) -> &'a PropNode {
        &self.net.nodes[id]
    }
}

/// Literals that are to hold together.
struct LiteralSet {
    /// Which set is gathered now.
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

    /// Adds a literal; returns whether its opposite is in the set.
    fn add(&mut self, literal: Signal) -> bool {
        self.had[literal.bits() as usize] = self.current;
        self.had[(!literal).bits() as usize] == self.current
    }
}

/// Places in which there is one thing at most, with what each has and of which set that is.
type Occupants<I> = Vec<Option<(u32, I)>>;

/// Enters something in the place of a set; returns whether there is something else already.
fn is_another<I: Copy + PartialEq>(place: &mut Option<(u32, I)>, set: u32, entry: I) -> bool {
    match *place {
        Some((of, held)) if of == set => held != entry,
        _ => {
            *place = Some((set, entry));
            false
        }
    }
}
