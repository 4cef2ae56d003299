//! [`Circuit`]: an and-inverter graph, the form that is covered with luts.
//!
//! Gates are conjunctions of two possibly inverted edges. Equal gates are shared as
//! they are made.

use crate::complemented_edge::ComplementedEdge;
use crate::id::{IdVec, ids};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

ids! {
    /// A gate or an input of a circuit.
    pub struct GateId;
}

/// A gate's value or its negation; gate 0 is the constant true.
pub type GateEdge = ComplementedEdge<GateId>;

/// A gate or an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The constant, gate 0 only.
    True,
    /// An input of the circuit.
    CircuitInput(CircuitInput),
    /// The conjunction of two edges.
    And(GateEdge, GateEdge),
}

/// A value that a circuit reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CircuitInput {
    /// A fluent.
    Base(u32),
    /// A bit of the rank drawn for a choice.
    Rank {
        /// The choice.
        choice: u32,
        /// The bit, 0 the lowest.
        bit: u32,
    },
    /// A recursive atom.
    Loop(u32),
    /// A move made. Only [`rule_operations`](super::rule_operations) reads moves; in
    /// plans, ranks select them.
    Does(u32),
}

/// A circuit under construction.
#[derive(Debug, Clone)]
pub struct Circuit {
    /// The gates, operands first.
    pub gates: IdVec<GateId, Gate>,
    levels: IdVec<GateId, u32>,
    known: FxHashMap<(GateEdge, GateEdge), GateId>,
    inputs: FxHashMap<CircuitInput, GateId>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self {
            gates: vec![Gate::True].into(),
            levels: vec![0].into(),
            known: FxHashMap::default(),
            inputs: FxHashMap::default(),
        }
    }
}

impl Circuit {
    /// The edge of an input.
    pub fn input(&mut self, input: CircuitInput) -> GateEdge {
        let gate = *self.inputs.entry(input).or_insert_with(|| {
            self.levels.push(0);
            self.gates.push(Gate::CircuitInput(input))
        });
        GateEdge::of(gate)
    }

    /// The conjunction of two edges.
    pub fn and(&mut self, one: GateEdge, other: GateEdge) -> GateEdge {
        let (first, second) = (one.min(other), one.max(other));
        if first == GateEdge::TRUE || first == second {
            return second;
        }
        if first == GateEdge::FALSE || first == !second {
            return GateEdge::FALSE;
        }
        let absorbed = self.absorb(first, second);
        if let Some(edge) = absorbed.or_else(|| self.absorb(second, first)) {
            return edge;
        }
        if let Some(&gate) = self.known.get(&(first, second)) {
            return GateEdge::of(gate);
        }
        let level = self.level(first).max(self.level(second)) + 1;
        let gate = self.gates.push(Gate::And(first, second));
        self.levels.push(level);
        self.known.insert((first, second), gate);
        GateEdge::of(gate)
    }

    /// Simplifies `one & outer` if `outer` is a conjunction, possibly inverted, and
    /// `one` is one of its operands or the opposite of one.
    fn absorb(&mut self, one: GateEdge, outer: GateEdge) -> Option<GateEdge> {
        let Gate::And(left, right) = self.gates[outer.node()] else {
            return None;
        };
        let same = one == left || one == right;
        let opposite = !one == left || !one == right;
        match (outer.inverted(), same, opposite) {
            (false, true, _) => Some(outer),
            (false, _, true) => Some(GateEdge::FALSE),
            (true, _, true) => Some(one),
            (true, true, _) => {
                let rest = if one == left { right } else { left };
                Some(self.and(one, !rest))
            }
            _ => None,
        }
    }

    /// The disjunction of two edges.
    pub fn or(&mut self, one: GateEdge, other: GateEdge) -> GateEdge {
        !self.and(!one, !other)
    }

    /// The exclusive or of two edges.
    pub fn xor(&mut self, one: GateEdge, other: GateEdge) -> GateEdge {
        let both = self.and(one, other);
        let neither = self.and(!one, !other);
        self.and(!both, !neither)
    }

    /// `if condition { yes } else { no }`.
    pub fn select(&mut self, condition: GateEdge, yes: GateEdge, no: GateEdge) -> GateEdge {
        let on = self.and(condition, yes);
        let off = self.and(!condition, no);
        self.or(on, off)
    }

    /// The sum and carry of three bits: a full adder.
    pub fn add(&mut self, a: GateEdge, b: GateEdge, c: GateEdge) -> (GateEdge, GateEdge) {
        let half = self.xor(a, b);
        let sum = self.xor(half, c);
        let both = self.and(a, b);
        let passed = self.and(half, c);
        (sum, self.or(both, passed))
    }

    /// The conjunction of all edges; the shallowest are combined first.
    pub fn and_all(&mut self, edges: impl IntoIterator<Item = GateEdge>) -> GateEdge {
        let mut open: BinaryHeap<_> = edges
            .into_iter()
            .map(|edge| Reverse((self.level(edge), edge)))
            .collect();
        loop {
            let Some(Reverse((_, one))) = open.pop() else {
                return GateEdge::TRUE;
            };
            let Some(Reverse((_, other))) = open.pop() else {
                return one;
            };
            let both = self.and(one, other);
            open.push(Reverse((self.level(both), both)));
        }
    }

    /// The disjunction of all edges; the shallowest are combined first.
    pub fn or_all(&mut self, edges: impl IntoIterator<Item = GateEdge>) -> GateEdge {
        !self.and_all(edges.into_iter().map(|edge| !edge))
    }

    fn level(&self, edge: GateEdge) -> u32 {
        self.levels[edge.node()]
    }

    /// The values of all gates, given those of the inputs.
    #[cfg(test)]
    pub fn evaluate(&self, input: impl Fn(CircuitInput) -> bool) -> IdVec<GateId, bool> {
        let mut values: IdVec<GateId, bool> = IdVec::new();
        for gate in &self.gates {
            let of = |edge: GateEdge| values[edge.node()] != edge.inverted();
            values.push(match *gate {
                Gate::True => true,
                Gate::CircuitInput(of_input) => input(of_input),
                Gate::And(one, other) => of(one) && of(other),
            });
        }
        values
    }
}
