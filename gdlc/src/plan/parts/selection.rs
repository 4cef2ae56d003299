//! [`PartSelection`]: counts the candidates of groups and slots, and finds the one of a rank.

use super::sums::count_sets;
use super::{CandidateParts, LiteralSets, in_common};
use crate::plan::circuit::{Circuit, CircuitInput, GateEdge};
use crate::plan::selection::{SelectionTree, bits_for};
use crate::propnet::Signal;
use indexmap::IndexMap;

/// A choice that was taken apart, with its counts.
pub struct PartSelection<'a> {
    parts: &'a CandidateParts,
    /// Whether each rest holds.
    rests: Vec<GateEdge>,
    /// The tree of the groups.
    groups: SelectionTree,
    candidates: usize,
}

impl<'a> PartSelection<'a> {
    /// Counts the candidates, given the edges of literals.
    pub fn count(
        circuit: &mut Circuit,
        parts: &'a CandidateParts,
        literal: impl FnMut(Signal) -> GateEdge,
    ) -> Self {
        let split: Vec<SplitLiterals> = (parts.groups.iter())
            .map(|group| SplitLiterals::of(&group.guards))
            .collect();
        let mut sets = parts.rests.clone();
        for guard in &split {
            sets.push(guard.common.clone());
            sets.extend(guard.alternatives.iter().cloned());
        }
        let edges = LiteralSets::new(sets).conjunctions(circuit, literal);
        let rests: Vec<GateEdge> = parts.rests.iter().map(|rest| edges[rest]).collect();
        let sets: Vec<Vec<u32>> = (parts.groups.iter())
            .map(|group| group.members.iter().map(|&(_, rest)| rest).collect())
            .collect();
        let mut counts = count_sets(circuit, &rests, &sets);
        for (count, guard) in counts.iter_mut().zip(&split) {
            let any = circuit.or_all(guard.alternatives.iter().map(|set| edges[set]));
            let holds = circuit.and(edges[&guard.common], any);
            for bit in &mut count.bits {
                *bit = circuit.and(holds, *bit);
            }
        }
        Self {
            parts,
            rests,
            groups: SelectionTree::of_counts(circuit, counts),
            candidates: parts.groups.iter().map(|group| group.members.len()).sum(),
        }
    }

    /// The number of candidates that can be chosen.
    pub fn total(&self) -> &[GateEdge] {
        self.groups.total()
    }

    /// The number of bits of a rank.
    pub fn rank_bits(&self) -> u32 {
        bits_for(self.candidates.saturating_sub(1))
    }

    /// For every group and every slot, whether it is that of the candidate of the rank drawn
    /// for `choice`, in games where `playing` holds.
    pub fn select(
        &self,
        circuit: &mut Circuit,
        choice: u32,
        playing: GateEdge,
    ) -> (Vec<GateEdge>, Vec<GateEdge>) {
        let mut rank: Vec<GateEdge> = (0..self.rank_bits())
            .map(|bit| circuit.input(CircuitInput::Rank { choice, bit }))
            .collect();
        let active = self.groups.descend_to_leaves(circuit, &mut rank, playing);
        let slots = self.rests_in_slots(circuit, &active);
        let slots = SelectionTree::count(circuit, slots);
        let selected = slots.select_rank(circuit, rank, playing);
        let [leaves, ..] = &active[..] else {
            return (Vec::new(), selected);
        };
        (leaves.clone(), selected)
    }

    /// For every slot, whether its rest in the group drawn holds. `active` is which nodes of
    /// the tree of groups are drawn, level by level from the leaves.
    fn rests_in_slots(&self, circuit: &mut Circuit, active: &[Vec<GateEdge>]) -> Vec<GateEdge> {
        let mut groups_of: Vec<IndexMap<u32, Vec<usize>>> = vec![IndexMap::new(); self.parts.slots];
        for (index, group) in self.parts.groups.iter().enumerate() {
            for &(slot, rest) in &group.members {
                let groups = groups_of[slot as usize].entry(rest).or_default();
                groups.push(index);
            }
        }
        let mut slots = Vec::with_capacity(groups_of.len());
        for rests in groups_of {
            let mut alternatives = Vec::with_capacity(rests.len());
            for (rest, groups) in rests {
                let drawn = any_active(circuit, active, groups);
                alternatives.push(circuit.and(drawn, self.rests[rest as usize]));
            }
            slots.push(circuit.or_all(alternatives));
        }
        slots
    }
}

/// Whether one of some leaves of a tree, in ascending order, is drawn: two that make up a
/// node are drawn exactly if the node is.
fn any_active(circuit: &mut Circuit, active: &[Vec<GateEdge>], mut nodes: Vec<usize>) -> GateEdge {
    let mut drawn = Vec::new();
    for (level, above) in active
        .iter()
        .zip(active.iter().skip(1).map(Some).chain([None]))
    {
        let mut parents = Vec::new();
        for pair in nodes.chunk_by(|one, other| one / 2 == other / 2) {
            let whole = pair.len() == 2 || pair[0] + 1 == level.len() && pair[0] % 2 == 0;
            match whole && above.is_some() {
                true => parents.push(pair[0] / 2),
                false => drawn.extend(pair.iter().map(|&node| level[node])),
            }
        }
        nodes = parents;
    }
    circuit.or_all(drawn)
}

/// The guards of a group: what all have in common, and what each requires in addition.
struct SplitLiterals {
    common: Vec<Signal>,
    alternatives: Vec<Vec<Signal>>,
}

impl SplitLiterals {
    fn of(guards: &[Vec<Signal>]) -> Self {
        let common = in_common(guards);
        let alternatives = guards.iter().map(|guard| {
            let mut own = guard.clone();
            own.retain(|literal| common.binary_search(literal).is_err());
            own
        });
        Self {
            alternatives: alternatives.collect(),
            common,
        }
    }
}
