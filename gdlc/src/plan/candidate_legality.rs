//! [`CandidateLegality`]: whether one of a candidate's moves is legal, with few gates.
//!
//! What the moves of a candidate require in common, such as whose turn it is, is tested once for
//! all of them. The legality of a single move need not be known for that: playouts never ask.

use super::circuit::{Circuit, Gate, GateEdge, GateId};
use crate::id::IdVec;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The most literals of a candidate's moves that are factored: each factor takes a level of
/// recursion and a look at all that is left.
const MOST_LITERALS: usize = 2000;

/// What the legality of moves consists of.
pub struct CandidateLegality {
    /// For each gate, how many gates and moves read it.
    readers: IdVec<GateId, u32>,
}

impl CandidateLegality {
    /// Prepares for moves whose legality these edges are.
    pub fn new<'a>(circuit: &Circuit, legal: impl IntoIterator<Item = &'a GateEdge>) -> Self {
        let mut readers = IdVec::filled(0, circuit.gates.len());
        let operands = circuit.gates.iter().flat_map(|gate| match *gate {
            Gate::And(one, other) => vec![one, other],
            Gate::True | Gate::CircuitInput(_) => vec![],
        });
        for edge in operands.chain(legal.into_iter().copied()) {
            readers[edge.node()] += 1;
        }
        Self { readers }
    }

    /// Whether one of some moves is legal.
    pub fn any(&self, circuit: &mut Circuit, legal: &[GateEdge]) -> GateEdge {
        match legal {
            [only] => *only,
            _ => {
                let moves = legal.iter().map(|&edge| self.literals(circuit, edge));
                let moves: Vec<Vec<GateEdge>> = moves.collect();
                match moves.iter().map(Vec::len).sum::<usize>() {
                    0..=MOST_LITERALS => any_conjunction(circuit, moves),
                    _ => circuit.or_all(legal.iter().copied()),
                }
            }
        }
    }

    /// The edges whose conjunction an edge is. Gates are taken apart that nothing else reads, and
    /// those of two inputs, which a lut can read itself.
    fn literals(&self, circuit: &Circuit, legal: GateEdge) -> Vec<GateEdge> {
        let is_input = |edge: GateEdge| matches!(circuit.gates[edge.node()], Gate::CircuitInput(_));
        let mut literals = Vec::new();
        let mut open = vec![legal];
        while let Some(edge) = open.pop() {
            match circuit.gates[edge.node()] {
                Gate::And(one, other)
                    if !edge.inverted()
                        && (self.readers[edge.node()] == 1 || is_input(one) && is_input(other)) =>
                {
                    open.extend([one, other]);
                }
                _ => literals.push(edge),
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }
}

/// Whether one of several conjunctions holds; the most frequent literals are factored out.
fn any_conjunction(circuit: &mut Circuit, conjunctions: Vec<Vec<GateEdge>>) -> GateEdge {
    let mut frequency: FxHashMap<GateEdge, usize> = FxHashMap::default();
    for &literal in conjunctions.iter().flatten() {
        *frequency.entry(literal).or_default() += 1;
    }
    let most = frequency.into_iter().filter(|(_, count)| *count > 1);
    let most = most.max_by_key(|&(literal, count)| (count, Reverse(literal)));
    let Some((shared, _)) = most else {
        let edges: Vec<GateEdge> = conjunctions
            .into_iter()
            .map(|literals| circuit.and_all(literals))
            .collect();
        return circuit.or_all(edges);
    };
    let (mut with, without): (Vec<_>, Vec<_>) = conjunctions
        .into_iter()
        .partition(|literals| literals.contains(&shared));
    for literals in &mut with {
        literals.retain(|&literal| literal != shared);
    }
    let with = any_conjunction(circuit, with);
    let with = circuit.and(shared, with);
    if without.is_empty() {
        return with;
    }
    let without = any_conjunction(circuit, without);
    circuit.or(with, without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::circuit::CircuitInput;

    #[test]
    fn large_candidates_take_no_deep_recursion() {
        let mut circuit = Circuit::default();
        let inputs: Vec<GateEdge> = (0..100_000)
            .map(|base| circuit.input(CircuitInput::Base(base)))
            .collect();
        let legal = [&inputs[1..], &inputs[..99_999]]
            .map(|literals| circuit.and_all(literals.iter().copied()));
        let legality = CandidateLegality::new(&circuit, &legal);
        let any = legality.any(&mut circuit, &legal);
        assert_eq!(any, circuit.or(legal[0], legal[1]));
    }

    #[test]
    fn what_moves_have_in_common_is_tested_once() {
        let mut circuit = Circuit::default();
        let [turn, a, b, c, d, e] =
            [0, 1, 2, 3, 4, 5].map(|base| circuit.input(CircuitInput::Base(base)));
        let legal = [[turn, a, b], [turn, a, !c], [!turn, d, e], [turn, !b, d]]
            .map(|literals| circuit.and_all(literals));
        let before = circuit.gates.len();
        let legality = CandidateLegality::new(&circuit, &legal);
        let any = legality.any(&mut circuit, &legal);
        // turn & (a & (b | !c) | !b & d) | !turn & d & e
        assert_eq!(circuit.gates.len() - before, 6);
        for state in 0..1_u32 << 6 {
            let values = circuit.evaluate(|input| match input {
                CircuitInput::Base(base) => state >> base & 1 != 0,
                _ => false,
            });
            let holds = |edge: GateEdge| values[edge.node()] != edge.inverted();
            assert_eq!(holds(any), legal.into_iter().any(holds), "{state:b}");
        }
    }
}
