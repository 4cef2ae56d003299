//! [`Cover`]: covers a circuit with lookup tables (luts) of two or three inputs.
//!
//! Input: a circuit and the edges to be computed. Output: the gates that become luts,
//! each with the gates that it reads, at most as many as an operation has inputs. This is cut-based
//! technology mapping: first by area flow, which is cheap, then by exact local area (Mishchenko,
//! Chatterjee and Brayton, "Improvements to technology mapping for LUT-based FPGAs", 2007). Depth
//! does not matter here, since all luts cost the same.

use super::Arity;
use super::circuit::{Circuit, Gate, GateEdge, GateId};
use crate::id::{Id, IdVec};

/// The most inputs that a lut can have.
const INPUTS: usize = 3;

/// The number of cuts kept for each gate.
const CUTS: usize = 8;

/// The number of rounds of exact area recovery.
const ROUNDS: usize = 2;

/// The number of gates that area recovery may visit in all; the deeper the circuit, the
/// more it visits per gate.
const VISITS: u64 = 120_000_000;

/// A cut of a gate: gates, in ascending order, whose values determine its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LutCut {
    gates: [GateId; INPUTS],
    length: u8,
}

impl LutCut {
    /// The cut of these gates, ascending.
    pub fn of(gates: &[GateId]) -> Self {
        let mut cut = Self {
            gates: [GateId::new(0); INPUTS],
            length: gates.len() as u8,
        };
        cut.gates[..gates.len()].copy_from_slice(gates);
        cut
    }

    /// The gates of the cut, ascending.
    #[must_use]
    pub fn gates(&self) -> &[GateId] {
        &self.gates[..usize::from(self.length)]
    }

    /// The union, unless it has more than `most` gates.
    fn merge(&self, other: &Self, most: usize) -> Option<Self> {
        let mut merged = *self;
        for &gate in other.gates() {
            if !merged.gates().contains(&gate) {
                if usize::from(merged.length) == most {
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

/// A lut that computes a gate.
#[derive(Clone, Copy, Debug)]
pub struct GateLut {
    /// The gates that it reads.
    pub reads: LutCut,
    /// Its results for their values, in this order: bit `4a + 2b + c`.
    pub truth: u8,
}

/// The gates that become luts.
pub struct Cover {
    /// The luts of these gates.
    pub luts: IdVec<GateId, Option<GateLut>>,
}

impl Cover {
    /// Covers everything that `needed` depends on.
    #[must_use]
    pub fn find(circuit: &Circuit, needed: &[GateEdge], arity: Arity) -> Self {
        let mut mapper = Mapper::new(circuit, arity);
        mapper.choose_by_flow(&count_readers(circuit, needed));
        mapper.reference_all(needed);
        for _ in 0..ROUNDS {
            mapper.recover_area();
        }
        let references = mapper.references;
        let luts = mapper.cuts.iter_ids().map(|(gate, cuts)| {
            let is_lut = references[gate] > 0 && matches!(circuit.gates[gate], Gate::And(..));
            is_lut.then(|| GateLut {
                reads: cuts.chosen,
                truth: truth_table(circuit, gate, &cuts.chosen),
            })
        });
        Self {
            luts: luts.collect(),
        }
    }
}

/// For each gate, how many gates and outputs read it; nothing that is not needed counts.
fn count_readers(circuit: &Circuit, needed: &[GateEdge]) -> IdVec<GateId, u32> {
    let mut readers = IdVec::filled(0, circuit.gates.len());
    for edge in needed {
        readers[edge.node()] += 1;
    }
    for (id, gate) in circuit.gates.iter_ids().rev() {
        if let Gate::And(left, right) = gate
            && readers[id] > 0
        {
            readers[left.node()] += 1;
            readers[right.node()] += 1;
        }
    }
    readers
}

struct Cuts {
    all: Vec<LutCut>,
    chosen: LutCut,
}

struct Mapper<'a> {
    circuit: &'a Circuit,
    arity: Arity,
    cuts: IdVec<GateId, Cuts>,
    /// What the luts that compute a gate cost, shared ones divided among their readers.
    flow: IdVec<GateId, f32>,
    /// The number of chosen luts and outputs that read a gate.
    references: IdVec<GateId, u32>,
    /// Gates that area recovery may still visit.
    visits: u64,
}

impl<'a> Mapper<'a> {
    fn new(circuit: &'a Circuit, arity: Arity) -> Self {
        Self {
            circuit,
            arity,
            cuts: IdVec::new(),
            flow: IdVec::new(),
            references: IdVec::filled(0, circuit.gates.len()),
            visits: VISITS,
        }
    }

    /// Lists the cuts of every gate that is needed and chooses the one of least area flow.
    fn choose_by_flow(&mut self, readers: &IdVec<GateId, u32>) {
        for (id, gate) in self.circuit.gates.iter_ids() {
            let trivial = LutCut::of(&[id]);
            let (cuts, flow) = match gate {
                Gate::And(left, right) if readers[id] > 0 => {
                    self.cuts_of(left.node(), right.node(), readers)
                }
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
            for cut in of(right).filter_map(|other| one.merge(&other, self.arity.inputs())) {
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
        let own = self.arity.cost(cut.gates().len()) as f32;
        own + cut.gates().iter().map(shared).sum::<f32>()
    }

    fn reference_all(&mut self, needed: &[GateEdge]) {
        for edge in needed {
            self.reference(edge.node());
        }
    }

    /// Adds a reader of a gate; returns what the luts cost that this adds.
    fn reference(&mut self, gate: GateId) -> u32 {
        let mut cost = 0;
        let mut open = vec![gate];
        while let Some(gate) = open.pop() {
            self.references[gate] += 1;
            self.visits = self.visits.saturating_sub(1);
            if self.references[gate] == 1 && self.is_gate(gate) {
                let cut = self.cuts[gate].chosen;
                cost += self.arity.cost(cut.gates().len());
                open.extend(cut.gates());
            }
        }
        cost
    }

    /// Removes a reader of a gate; returns what the luts cost that this saves.
    fn dereference(&mut self, gate: GateId) -> u32 {
        let mut cost = 0;
        let mut open = vec![gate];
        while let Some(gate) = open.pop() {
            self.references[gate] -= 1;
            if self.references[gate] == 0 && self.is_gate(gate) {
                let cut = self.cuts[gate].chosen;
                cost += self.arity.cost(cut.gates().len());
                open.extend(cut.gates());
            }
        }
        cost
    }

    fn is_gate(&self, gate: GateId) -> bool {
        matches!(self.circuit.gates[gate], Gate::And(..))
    }

    /// Chooses for every lut the cut that costs least, given all other choices.
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

    /// What a lut with this cut would cost, with those that it would add.
    fn area(&mut self, cut: &LutCut) -> u32 {
        let added: u32 = cut.gates().iter().map(|&gate| self.reference(gate)).sum();
        for &gate in cut.gates() {
            self.dereference(gate);
        }
        added + self.arity.cost(cut.gates().len())
    }
}

/// The truth table of a gate over the gates of a cut, in the order of
/// [`LutCut::gates`]: bit `4a + 2b + c`.
fn truth_table(circuit: &Circuit, gate: GateId, cut: &LutCut) -> u8 {
    const OF_INPUT: [u8; INPUTS] = [0b1111_0000, 0b1100_1100, 0b1010_1010];
    // Few gates lie between a cut and its gate, so a list of the known ones is searched
    // quickly.
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
