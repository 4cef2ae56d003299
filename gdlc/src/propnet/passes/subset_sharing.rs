//! Gives what wide conjunctions have in common gates of its own, in propnets that are
//! too large for the extraction of cubes.
//!
//! The operands of a conjunction are a set, written as a binary trie over their numbers
//! (Okasaki and Gill, Fast mergeable integer maps, 1998). A set has one such trie, and
//! equal subtrees are stored once (Filliâtre and Conchon, Type-safe modular
//! hash-consing, 2006), so that conjunctions of nearly the same operands ("any attacker
//! but the one on this square") share all of their tries but a path. A subtree in
//! several conjunctions becomes a gate, unless all of them have it within a larger one.

use super::Pass;
use super::cube_extraction::MOST_OPERANDS;
use crate::propnet::rebuild::{push_and, rebuild};
use crate::propnet::{PropNode, Propnet, Signal};
use rustc_hash::FxHashMap;

pub(super) const PASS: Pass = Pass {
    name: "subset_sharing",
    ensures: "no range of operands that two wide conjunctions have in common",
    run: subset_sharing,
};

fn subset_sharing(net: &Propnet) -> Propnet {
    if net.size().operands <= MOST_OPERANDS {
        return net.clone();
    }
    let mut tries = OperandTries::default();
    for node in &net.nodes {
        if let PropNode::And(operands) = node {
            let operands = sorted(operands.iter().map(|&operand| (operand, operand)));
            if let Some(root) = tries.intern(&operands) {
                tries.count(root);
            }
        }
    }
    let mut gates: FxHashMap<u32, Signal> = FxHashMap::default();
    rebuild(net, |nodes, id, operands| {
        let PropNode::And(old) = &net.nodes[id] else {
            unreachable!("only conjunctions are rebuilt")
        };
        let operands = sorted(old.iter().copied().zip(operands));
        let Some(root) = tries.intern(&operands) else {
            return push_and(nodes, Vec::new());
        };
        let mut make = |operands: Vec<Signal>| push_and(nodes, operands);
        let parts = tries.parts(root, 1, &operands, &mut gates, &mut make);
        make(parts)
    })
}

/// The operands of a gate with what stands for them now, by their old numbers, each
/// once.
fn sorted(operands: impl Iterator<Item = (Signal, Signal)>) -> Vec<(Signal, Signal)> {
    let mut operands: Vec<_> = operands.collect();
    operands.sort_unstable_by_key(|&(old, _)| old.bits());
    operands.dedup_by_key(|&mut (old, _)| old);
    operands
}

/// A set of operands: one of them, or a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subset {
    Operand(Signal),
    Branch(u32),
}

/// All tries, their branches stored once.
#[derive(Default)]
struct OperandTries {
    known: FxHashMap<(Subset, Subset), u32>,
    branches: Vec<(Subset, Subset)>,
    /// The number of conjunctions that contain each branch.
    counts: Vec<u32>,
}

impl OperandTries {
    /// The trie of a sorted set. Recursion is as deep as a number has bits.
    fn intern(&mut self, operands: &[(Signal, Signal)]) -> Option<Subset> {
        let (&(first, _), &(last, _)) = (operands.first()?, operands.last()?);
        if first == last {
            return Some(Subset::Operand(first));
        }
        let (left, right) = operands.split_at(middle(operands));
        let children = (self.intern(left)?, self.intern(right)?);
        let branches = &mut self.branches;
        let counts = &mut self.counts;
        let number = *self.known.entry(children).or_insert_with(|| {
            branches.push(children);
            counts.push(0);
            branches.len() as u32 - 1
        });
        Some(Subset::Branch(number))
    }

    /// Counts a conjunction for all branches that it contains.
    fn count(&mut self, subset: Subset) {
        if let Subset::Branch(number) = subset {
            self.counts[number as usize] += 1;
            let (left, right) = self.branches[number as usize];
            self.count(left);
            self.count(right);
        }
    }

    /// The operands that stand for a subset within a gate that occurs `count` times:
    /// a gate if the subset occurs more often, otherwise those of its parts.
    fn parts(
        &self,
        subset: Subset,
        count: u32,
        operands: &[(Signal, Signal)],
        gates: &mut FxHashMap<u32, Signal>,
        make: &mut impl FnMut(Vec<Signal>) -> Signal,
    ) -> Vec<Signal> {
        let Subset::Branch(number) = subset else {
            return operands.iter().map(|&(_, new)| new).collect();
        };
        let own = self.counts[number as usize];
        if own > count
            && let Some(&gate) = gates.get(&number)
        {
            return vec![gate];
        }
        let (left, right) = self.branches[number as usize];
        let (before, behind) = operands.split_at(middle(operands));
        let mut parts = self.parts(left, own.max(count), before, gates, make);
        parts.extend(self.parts(right, own.max(count), behind, gates, make));
        if own <= count {
            return parts;
        }
        let gate = make(parts);
        gates.insert(number, gate);
        vec![gate]
    }
}

/// Where the highest bit in which the numbers of a sorted set differ becomes one.
fn middle(operands: &[(Signal, Signal)]) -> usize {
    let key = |index: usize| operands[index].0.bits();
    let highest = (key(0) ^ key(operands.len() - 1)).ilog2();
    operands.partition_point(|&(old, _)| old.bits() >> highest & 1 == 0)
}
