//! [`Exclusion`]: proofs that two signals never hold together.

use super::{ImpliedLiterals, MutexGroups, NeededMoves};
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

    /// Whether what one signal implies contradicts what the other implies.
    fn conflict(&self, first: Signal, second: Signal) -> bool {
        let first = self.consequences(first);
        let second = self.consequences(second);
        first.iter().any(|&one| {
            second
                .iter()
                .any(|&other| one == !other || self.excluded(one, other))
        })
    }

    /// What a signal implies, including what the legality of its moves implies.
    fn consequences(&self, signal: Signal) -> Vec<Signal> {
        let mut all = self.implied.of(signal).to_vec();
        for index in 0..all.len() {
            if let (false, PropNode::Does(mv)) =
                (all[index].inverted(), self.node(all[index].node()))
            {
                all.extend(self.implied.of(self.net.moves[*mv].legal));
            }
        }
        all
    }

    fn excluded(&self, one: Signal, other: Signal) -> bool {
        if one.inverted() || other.inverted() {
            return false;
        }
        match (self.node(one.node()), self.node(other.node())) {
            (PropNode::Base(one), PropNode::Base(other)) => self.groups.exclude(*one, *other),
            (PropNode::Does(one), PropNode::Does(other)) => {
                one != other && self.net.moves[*one].role == self.net.moves[*other].role
            }
            _ => false,
        }
    }

    fn node(&self, id: PropNodeId) -> &'a PropNode {
        &self.net.nodes[id]
    }
}
