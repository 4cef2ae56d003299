//! [`Restart`]: lets the initial state follow a terminal one, with few gates.

use super::circuit::{Circuit, Gate, GateEdge, GateId};
use crate::ground::BaseId;
use crate::id::IdVec;
use rustc_hash::FxHashMap;

/// What a circuit computes only while a game is not over.
///
/// Next fluents get their initial values after a terminal state. Most are the disjunction of
/// what a selected move brings about, which nothing does once the game is over, and of what
/// holds already and is not ended by a move; only the latter has to be changed.
pub struct Restart {
    /// Whether the game is not over.
    playing: GateEdge,
    /// For each gate, whether it holds only then, and whether its negation does.
    only_then: IdVec<GateId, [bool; 2]>,
    /// For each gate, how many others read it.
    readers: IdVec<GateId, u32>,
}

impl Restart {
    /// Finds what gates made so far depend on.
    pub fn find(circuit: &Circuit, playing: GateEdge) -> Self {
        let mut restart = Self {
            playing,
            only_then: IdVec::new(),
            readers: IdVec::filled(0, circuit.gates.len()),
        };
        for (id, gate) in circuit.gates.iter_ids() {
            let mut only_then = match *gate {
                Gate::And(one, other) => {
                    restart.readers[one.node()] += 1;
                    restart.readers[other.node()] += 1;
                    [
                        restart.holds_only_then(one) || restart.holds_only_then(other),
                        restart.holds_only_then(!one) && restart.holds_only_then(!other),
                    ]
                }
                Gate::True | Gate::CircuitInput(_) => [false; 2],
            };
            if id == playing.node() {
                only_then[usize::from(playing.inverted())] = true;
            }
            restart.only_then.push(only_then);
        }
        restart
    }

    /// The values of fluents in the next state, or in the initial state if the game is over.
    /// Takes the next values and the initial ones.
    pub fn next(
        &self,
        circuit: &mut Circuit,
        fluents: impl Iterator<Item = (GateEdge, bool)>,
    ) -> IdVec<BaseId, GateEdge> {
        let fluents: Vec<(Alternatives, bool)> = fluents
            .map(|(next, initially)| (self.split(circuit, next.invert_if(initially)), initially))
            .collect();
        let mut uses: FxHashMap<GateEdge, usize> = FxHashMap::default();
        for (next, _) in &fluents {
            for operand in operands(circuit, next.rest) {
                *uses.entry(operand).or_default() += 1;
            }
        }
        let next = fluents.iter().map(|(next, initially)| {
            let next = self.while_playing(circuit, next, &uses);
            next.invert_if(*initially)
        });
        next.collect()
    }

    /// Takes alternatives that hold only while the game is not over off a disjunction, as long
    /// as nothing else reads what it consists of.
    fn split(&self, circuit: &Circuit, all: GateEdge) -> Alternatives {
        let mut only_then = Vec::new();
        let mut rest = all;
        while let Gate::And(one, other) = circuit.gates[rest.node()]
            && rest.inverted()
            && self.readers[rest.node()] <= u32::from(rest != all)
        {
            let [one, other] = [!one, !other];
            let (taken, left) = match [one, other].map(|edge| self.holds_only_then(edge)) {
                [false, false] => break,
                [true, _] => (one, other),
                [false, true] => (other, one),
            };
            only_then.push(taken);
            rest = left;
        }
        Alternatives {
            all,
            only_then,
            rest,
        }
    }

    /// Whether one of some alternatives holds and the game is not over. A condition that several
    /// fluents have is changed once for all of them.
    fn while_playing(
        &self,
        circuit: &mut Circuit,
        next: &Alternatives,
        uses: &FxHashMap<GateEdge, usize>,
    ) -> GateEdge {
        if self.holds_only_then(next.rest) {
            return next.all;
        }
        let [one, other] = operands(circuit, next.rest);
        let [shared, single] = match uses[&one] < uses[&other] {
            true => [other, one],
            false => [one, other],
        };
        if uses[&shared] == 1 || next.are_chosen_by(circuit, shared) {
            return circuit.and(next.all, self.playing);
        }
        let shared = circuit.and(shared, self.playing);
        let rest = circuit.and(single, shared);
        let only_then = next.only_then.iter().rev();
        only_then.fold(rest, |any, &edge| circuit.or(any, edge))
    }

    fn holds_only_then(&self, edge: GateEdge) -> bool {
        let known = self.only_then.get(edge.node());
        known.is_some_and(|only_then| only_then[usize::from(edge.inverted())])
    }
}

/// A disjunction.
struct Alternatives {
    all: GateEdge,
    /// Alternatives that hold only while the game is not over.
    only_then: Vec<GateEdge>,
    /// The others.
    rest: GateEdge,
}

impl Alternatives {
    /// Whether a condition decides between the rest and another alternative: one lut computes
    /// both, as long as the condition is the same.
    fn are_chosen_by(&self, circuit: &Circuit, condition: GateEdge) -> bool {
        let alternatives = self.only_then.iter();
        let mut conditions = alternatives.flat_map(|&edge| operands(circuit, edge));
        conditions.any(|edge| edge == !condition)
    }
}

/// The operands of a conjunction, or the edge itself and true.
fn operands(circuit: &Circuit, edge: GateEdge) -> [GateEdge; 2] {
    match circuit.gates[edge.node()] {
        Gate::And(one, other) if !edge.inverted() => [one, other],
        _ => [edge, GateEdge::TRUE],
    }
}
