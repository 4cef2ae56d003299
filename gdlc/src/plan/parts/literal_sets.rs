//! [`LiteralSets`]: conjunctions of sets of literals that share what they have in common.

use crate::plan::circuit::{Circuit, GateEdge};
use crate::propnet::Signal;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Sets of literals, each built from smaller ones among them as far as possible: the
/// largest that it contains, then the largest contained in what is left, and so on.
pub struct LiteralSets {
    /// The sets, ascending by size, each once.
    sets: Vec<Vec<Signal>>,
    /// How many sets have each literal.
    frequency: FxHashMap<Signal, u32>,
}

impl LiteralSets {
    /// The sets, given all that are needed.
    pub fn new(mut sets: Vec<Vec<Signal>>) -> Self {
        sets.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        sets.dedup();
        let mut frequency = FxHashMap::default();
        for &literal in sets.iter().flatten() {
            *frequency.entry(literal).or_default() += 1;
        }
        Self { sets, frequency }
    }

    /// The conjunctions of the sets, given the edges of literals.
    pub fn conjunctions(
        &self,
        circuit: &mut Circuit,
        mut literal: impl FnMut(Signal) -> GateEdge,
    ) -> FxHashMap<Vec<Signal>, GateEdge> {
        let mut edges: Vec<GateEdge> = Vec::with_capacity(self.sets.len());
        // The sets made so far by their rarest literals: a set that contains one of them
        // finds it there.
        let mut made: FxHashMap<Signal, Vec<usize>> = FxHashMap::default();
        for (index, set) in self.sets.iter().enumerate() {
            let mut left = set.clone();
            let mut operands = Vec::new();
            while let Some(part) = self.largest_within(&left, &made) {
                operands.push(edges[part]);
                left.retain(|literal| self.sets[part].binary_search(literal).is_err());
            }
            operands.extend(left.into_iter().map(&mut literal));
            edges.push(circuit.and_all(operands));
            if let Some(rarest) = self.rarest(set) {
                made.entry(rarest).or_default().push(index);
            }
        }
        self.sets.iter().cloned().zip(edges).collect()
    }

    /// The largest set made so far within another, if it has two literals or more.
    fn largest_within(
        &self,
        outer: &[Signal],
        made: &FxHashMap<Signal, Vec<usize>>,
    ) -> Option<usize> {
        let within = |&index: &usize| {
            let set = &self.sets[index];
            (2..=outer.len()).contains(&set.len())
                && set
                    .iter()
                    .all(|literal| outer.binary_search(literal).is_ok())
        };
        let found = outer.iter().filter_map(|literal| made.get(literal));
        found
            .filter_map(|sets| sets.iter().copied().rev().find(within))
            .max_by_key(|&index| (self.sets[index].len(), Reverse(index)))
    }

    fn rarest(&self, set: &[Signal]) -> Option<Signal> {
        let literals = set.iter().copied();
        literals.min_by_key(|literal| (self.frequency[literal], *literal))
    }
}
