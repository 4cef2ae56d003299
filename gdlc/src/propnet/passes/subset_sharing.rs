//! Gives the common parts of wide conjunctions gates of their own, in propnets that
//! are too large for cube extraction.
//!
//! The operands of a conjunction are a set, written as a binary trie over their numbers
//! (Okasaki and Gill, Fast mergeable integer maps, 1998). A set has one such trie, and
//! equal subtrees are stored once (Filliâtre and Conchon, Type-safe modular
//! hash-consing, 2006), so that conjunctions of nearly the same operands ("any attacker
//! but the one on this square") share all of their tries but one path. A subtree that
//! occurs in several conjunctions becomes a gate, unless all of them contain it within
//! a larger one.

use super::Pass;
use super::cube_extraction::MOST_OPERANDS;
use crate::propnet::rebuild::{push_and, rebuild};
use crate::propnet::{PropNode, Propnet, Signal};
use rustc_hash::FxHashMap;

/// Leaves no range of operands that two wide conjunctions have in common.
pub(super) const PASS: Pass = Pass {
    name: "subset_sharing",
    run: subset_sharing,
};

fn subset_sharing(net: &Propnet) -> Propnet {
    match net.size().operands <= MOST_OPERANDS {
        true => net.clone(),
        false => share_subsets(net),
    }
}

fn share_subsets(net: &Propnet) -> Propnet {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::BaseId;
    use crate::id::{Id, IdVec};
    use crate::propnet::{PropNodeId, PropnetBase};
    use rand::rngs::StdRng;
    use rand::{RngExt as _, SeedableRng as _};

    const INPUTS: usize = 40;

    /// Gates over inputs, each the next value of a fluent.
    fn net(gates: Vec<Vec<Signal>>) -> Propnet {
        let mut nodes: IdVec<PropNodeId, PropNode> = vec![PropNode::True].into();
        for input in 0..INPUTS {
            nodes.push(PropNode::Base(BaseId::new(input)));
        }
        let mut bases: IdVec<BaseId, PropnetBase> = IdVec::new();
        for (number, gate) in gates.into_iter().enumerate() {
            bases.push(PropnetBase {
                name: format!("f{number}").into(),
                initially: false,
                next: Signal::of(nodes.push(PropNode::And(gate.into()))),
            });
        }
        Propnet {
            roles: IdVec::new(),
            bases,
            moves: IdVec::new(),
            nodes,
            terminal: Signal::FALSE,
            goals: Vec::new(),
            mutex_groups: None,
            loops: IdVec::new(),
        }
    }

    fn input(number: usize, inverted: bool) -> Signal {
        Signal::of(PropNodeId::new(number + 1)).invert_if(inverted)
    }

    /// The next values of all fluents.
    fn evaluate(net: &Propnet, inputs: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::new();
        for node in &net.nodes {
            let value = |signal: &Signal| values[signal.node().index()] != signal.inverted();
            values.push(match node {
                PropNode::Base(base) => inputs[base.index()],
                PropNode::And(operands) => operands.iter().all(value),
                _ => true,
            });
        }
        let next = net.bases.iter().map(|base| base.next);
        next.map(|signal| values[signal.node().index()] != signal.inverted())
            .collect()
    }

    #[test]
    fn sets_without_one_member_share_all_but_a_path() {
        let all_but = |left_out: usize| {
            let others = (0..INPUTS).filter(|&number| number != left_out);
            others.map(|number| input(number, false)).collect()
        };
        let before = net((0..INPUTS).map(all_but).collect());
        let after = share_subsets(&before);
        assert_eq!(before.size().operands, INPUTS * (INPUTS - 1));
        // A path has at most six branches, and each of them is in a gate or two.
        assert!(after.size().operands < 8 * INPUTS, "{}", after.size());
        for left_out in 0..INPUTS {
            let inputs: Vec<bool> = (0..INPUTS).map(|number| number != left_out).collect();
            assert_eq!(evaluate(&before, &inputs), evaluate(&after, &inputs));
        }
    }

    #[test]
    fn random_gates_keep_their_meaning_and_do_not_grow() {
        let seed = gdl_testing::seed();
        let mut random = StdRng::seed_from_u64(seed);
        for round in 0..50 {
            let gates = (0..30).map(|_| {
                let width = random.random_range(2..20);
                let mut gate: Vec<Signal> = (0..width)
                    .map(|_| input(random.random_range(0..12), random.random_bool(0.1)))
                    .collect();
                gate.sort_unstable();
                gate.dedup();
                gate
            });
            let before = net(gates.filter(|gate| gate.len() > 1).collect());
            let after = share_subsets(&before);
            assert!(after.size().operands <= before.size().operands);
            for _ in 0..20 {
                let inputs: Vec<bool> = (0..INPUTS).map(|_| random.random_bool(0.9)).collect();
                let same = evaluate(&before, &inputs) == evaluate(&after, &inputs);
                assert!(same, "seed {seed}, round {round}");
            }
        }
    }
}
