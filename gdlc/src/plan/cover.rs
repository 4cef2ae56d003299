//! Covering a circuit with three-input tables.
//!
//! Input: a circuit and the edges needed of it. Output: for every gate that is
//! needed as a table, the up to three gates it reads. Technology mapping for
//! lookup tables by cuts: cheap area flow first, then exact local area (Mishchenko,
//! Chatterjee and Brayton, "Improvements to technology mapping for LUT-based
//! FPGAs", 2007). Depth does not matter here: all tables cost the same.

use super::circuit::{Circuit, Gate, GateEdge, GateId};
use crate::id::{Id, IdVec};

/// Inputs of a table.
const INPUTS: usize = 3;

/// Cuts kept for a gate.
const CUTS: usize = 8;

/// Rounds of exact area recovery.
const ROUNDS: usize = 2;

/// Gates that area recovery may visit in all: what a visit leads to grows with
/// the depth of the circuit.
const VISITS: u64 = 30_000_000;

/// Gates whose values determine another gate's, ascending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LutCut {
    gates: [GateId; INPUTS],
    length: u8,
}

impl LutCut {
    fn of(gates: &[GateId]) -> Self {
        let mut cut = Self {
            gates: [GateId::new(0); INPUTS],
            length: gates.len() as u8,
        };
        cut.gates[..gates.len()].copy_from_slice(gates);
        cut
    }

    /// The gates read.
    #[must_use]
    pub fn gates(&self) -> &[GateId] {
        &self.gates[..usize::from(self.length)]
    }

    /// The union, unless it has too many gates.
    fn merge(&self, other: &Self) -> Option<Self> {
        let mut merged = *self;
        for &gate in other.gates() {
            if !merged.gates().contains(&gate) {
                if usize::from(merged.length) == INPUTS {
                    return None;
                }
                merged.gates[usize::from(merged.length)] = gate;
                merged.length += 1;
            }
        }
        let length = usize::from(merged.length);
        merged.gates[..length].sort_unstable();
        Some(merged)
    }

    fn is_within(&self, other: &Self) -> bool {
        self.gates().iter().all(|gate| other.gates().contains(gate))
    }
}

/// Which gates become tables, and what they read.
pub struct Cover {
    /// For gates that become tables, what they read.
    pub cuts: IdVec<GateId, Option<LutCut>>,
}

impl Cover {
    /// Covers everything that `needed` depends on.
    #[must_use]
    pub fn find(circuit: &Circuit, needed: &[GateEdge]) -> Self {
        let mut mapper = Mapper::new(circuit);
        mapper.choose_by_flow();
        mapper.reference_all(needed);
        for _ in 0..ROUNDS {
            mapper.recover_area();
        }
        let references = mapper.references;
        let cuts = mapper.cuts.iter_ids().map(|(gate, cuts)| {
            let is_table = references[gate] > 0 && matches!(circuit.gates[gate], Gate::And(..));
            is_table.then_some(cuts.chosen)
        });
        Self {
            cuts: cuts.collect(),
        }
    }
}

struct Cuts {
    all: Vec<LutCut>,
    chosen: LutCut,
}

struct Mapper<'a> {
    circuit: &'a Circuit,
    cuts: IdVec<GateId, Cuts>,
    /// Tables for a gate, shared ones divided among their readers.
    flow: IdVec<GateId, f32>,
    /// How often chosen tables and outputs read a gate.
    references: IdVec<GateId, u32>,
    /// Gates that area recovery may still visit.
    visits: u64,
}

impl<'a> Mapper<'a> {
    fn new(circuit: &'a Circuit) -> Self {
        Self {
            circuit,
            cuts: IdVec::new(),
            flow: IdVec::new(),
            references: IdVec::filled(0, circuit.gates.len()),
            visits: VISITS,
        }
    }

    /// Lists the cuts of every gate and chooses the one of least area flow.
    fn choose_by_flow(&mut self) {
        let mut readers: IdVec<GateId, u32> = IdVec::filled(0, self.circuit.gates.len());
        for gate in &self.circuit.gates {
            if let Gate::And(left, right) = gate {
                readers[left.node()] += 1;
                readers[right.node()] += 1;
            }
        }
        for (id, gate) in self.circuit.gates.iter_ids() {
            let trivial = LutCut::of(&[id]);
            let (cuts, flow) = match gate {
                Gate::And(left, right) => self.cuts_of(left.node(), right.node(), &readers),
                _ => (
                    Cuts {
                        all: vec![],
                        chosen: trivial,
                    },
                    0.0,
                ),
            };
            self.cuts.push(cuts);
            self.flow.push(flow);
        }
    }

    fn cuts_of(&self, left: GateId, right: GateId, readers: &IdVec<GateId, u32>) -> (Cuts, f32) {
        let mut found: Vec<(f32, LutCut)> = Vec::new();
        let of = |gate: GateId| {
            let own = LutCut::of(&[gate]);
            self.cuts[gate].all.iter().copied().chain([own])
        };
        for one in of(left) {
            for cut in of(right).filter_map(|other| one.merge(&other)) {
                if found.iter().any(|(_, known)| known.is_within(&cut)) {
                    continue;
                }
                found.retain(|(_, known)| !cut.is_within(known));
                found.push((self.flow_of(&cut, readers), cut));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        found.truncate(CUTS);
        let (flow, chosen) = found[0];
        let all = found.into_iter().map(|(_, cut)| cut).collect();
        (Cuts { all, chosen }, flow)
    }

    fn flow_of(&self, cut: &LutCut, readers: &IdVec<GateId, u32>) -> f32 {
        let shared = |&gate: &GateId| self.flow[gate] / readers[gate].max(1) as f32;
        1.0 + cut.gates().iter().map(shared).sum::<f32>()
    }

    fn reference_all(&mut self, needed: &[GateEdge]) {
        for edge in needed {
            self.reference(edge.node());
        }
    }

    /// Counts one more reader of a gate; returns how many tables that takes.
    fn reference(&mut self, gate: GateId) -> u32 {
        let mut tables = 0;
        let mut open = vec![gate];
        while let Some(gate) = open.pop() {
            self.references[gate] += 1;
            self.visits = self.visits.saturating_sub(1);
            if self.references[gate] == 1 && self.is_gate(gate) {
                tables += 1;
                open.extend(self.cuts[gate].chosen.gates());
            }
        }
        tables
    }

    /// Takes one reader away; returns how many tables that saves.
    fn dereference(&mut self, gate: GateId) -> u32 {
        let mut tables = 0;
        let mut open = vec![gate];
        while let Some(gate) = open.pop() {
            self.references[gate] -= 1;
            if self.references[gate] == 0 && self.is_gate(gate) {
                tables += 1;
                open.extend(self.cuts[gate].chosen.gates());
            }
        }
        tables
    }

    fn is_gate(&self, gate: GateId) -> bool {
        matches!(self.circuit.gates[gate], Gate::And(..))
    }

    /// Chooses for every table the cut that needs the fewest tables, given all
    /// other choices.
    fn recover_area(&mut self) {
        for gate in self.circuit.gates.ids() {
            if self.visits == 0 {
                return;
            }
            if self.references[gate] == 0 || self.cuts[gate].all.len() < 2 {
                continue;
            }
            for read in self.cuts[gate].chosen.gates().to_vec() {
                self.dereference(read);
            }
            let mut best = (u32::MAX, self.cuts[gate].chosen);
            for index in 0..self.cuts[gate].all.len() {
                let cut = self.cuts[gate].all[index];
                let area = self.area(&cut);
                if area < best.0 {
                    best = (area, cut);
                }
            }
            self.cuts[gate].chosen = best.1;
            for read in best.1.gates() {
                self.reference(*read);
            }
        }
    }

    /// How many tables reading a cut would take, beyond those there are.
    fn area(&mut self, cut: &LutCut) -> u32 {
        let tables = cut.gates().iter().map(|&gate| self.reference(gate)).sum();
        for &gate in cut.gates() {
            self.dereference(gate);
        }
        tables
    }
}

/// The truth table of a gate over the gates of a cut, in the order of
/// [`LutCut::gates`]: bit `4a + 2b + c`.
#[must_use]
pub fn truth_table(circuit: &Circuit, gate: GateId, cut: &LutCut) -> u8 {
    const OF_INPUT: [u8; INPUTS] = [0b1111_0000, 0b1100_1100, 0b1010_1010];
    // A cut of three gates has few gates above it: depth-first with a short
    // list of what is known.
    let mut known: Vec<(GateId, u8)> = cut.gates().iter().copied().zip(OF_INPUT).collect();
    known.push((GateId::new(0), 0xff));
    let mut open = vec![gate];
    while let Some(&top) = open.last() {
        let value = |edge: GateEdge, known: &[(GateId, u8)]| {
            let of_gate = known.iter().find(|(gate, _)| *gate == edge.node());
            of_gate.map(|(_, truth)| truth ^ if edge.inverted() { 0xff } else { 0 })
        };
        if known.iter().any(|(gate, _)| *gate == top) {
            open.pop();
            continue;
        }
        let Gate::And(left, right) = circuit.gates[top] else {
            unreachable!("a cut separates its gate from the inputs")
        };
        match (value(left, &known), value(right, &known)) {
            (Some(left), Some(right)) => {
                known.push((top, left & right));
                open.pop();
            }
            (None, _) => open.push(left.node()),
            (_, None) => open.push(right.node()),
        }
    }
    known
        .iter()
        .find(|(known, _)| *known == gate)
        .map_or(0, |(_, truth)| *truth)
}
