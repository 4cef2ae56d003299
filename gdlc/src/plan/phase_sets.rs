//! [`PhaseSets`]: in which phases luts are computed.

use super::circuit::{CircuitInput, Gate, GateId};
use super::cover::Cover;
use super::lower::Lowered;
use crate::id::{Id, IdVec};
use crate::propnet::LoopId;
use gdl_runtime::program::Phase;

/// A set of phases, a bit for each.
type PhaseBits = u8;

const fn only(phase: Phase) -> PhaseBits {
    1 << phase as u8
}

/// In which phases luts are needed, and which of them recursion computes.
pub struct PhaseSets {
    needed: IdVec<GateId, PhaseBits>,
    recursive: IdVec<GateId, bool>,
}

impl PhaseSets {
    /// Finds the phases of all luts.
    pub fn find(lowered: &Lowered, cover: &Cover) -> Self {
        let gates = &lowered.circuit.gates;
        let mut needed = IdVec::filled(0, gates.len());
        for (phase, edges) in lowered.outputs() {
            for edge in edges {
                needed[edge.node()] |= only(phase);
            }
        }
        require_inputs(cover, &mut needed);
        while require_definitions(lowered, &mut needed) {
            require_inputs(cover, &mut needed);
        }
        let mut recursive = IdVec::filled(false, gates.len());
        for (id, lut) in cover.luts.iter_ids() {
            recursive[id] = match lut {
                Some(lut) => lut.reads.gates().iter().any(|&read| recursive[read]),
                None => matches!(gates[id], Gate::CircuitInput(CircuitInput::Loop(_))),
            };
        }
        Self { needed, recursive }
    }

    /// Whether a recursive atom is among what a gate depends on.
    pub fn is_recursive(&self, gate: GateId) -> bool {
        self.recursive[gate]
    }

    /// Whether a lut may read another value without having it computed in more phases.
    pub fn may_read(&self, reader: GateId, read: GateId) -> bool {
        let available = available_after(self.needed[read]);
        computed_in(self.needed[reader]) & !available == 0 && !self.recursive[read]
    }
}

/// What luts read is needed where they are.
fn require_inputs(cover: &Cover, needed: &mut IdVec<GateId, PhaseBits>) {
    for (id, lut) in cover.luts.iter_ids().rev() {
        let phases = needed[id];
        for &read in lut.iter().flat_map(|lut| lut.reads.gates()) {
            needed[read] |= phases;
        }
    }
}

/// What defines recursive atoms is needed where they are; returns whether that was news.
fn require_definitions(lowered: &Lowered, needed: &mut IdVec<GateId, PhaseBits>) -> bool {
    let mut news = false;
    for (id, gate) in lowered.circuit.gates.iter_ids() {
        let Gate::CircuitInput(CircuitInput::Loop(atom)) = gate else {
            continue;
        };
        let definition = lowered.loops[LoopId::new(*atom as usize)].node();
        news |= needed[id] & !needed[definition] != 0;
        let phases = needed[id];
        needed[definition] |= phases;
    }
    news
}

/// The phases in which a value that some phases need is computed: the others read it.
fn computed_in(needed: PhaseBits) -> PhaseBits {
    if needed & only(Phase::Terminal) != 0 {
        return only(Phase::Terminal);
    }
    match needed & only(Phase::Count) {
        0 => needed,
        _ => needed & !only(Phase::Next),
    }
}

/// The phases that can read a value that is computed for some phases.
fn available_after(needed: PhaseBits) -> PhaseBits {
    if needed & only(Phase::Terminal) != 0 {
        return PhaseBits::MAX;
    }
    match needed & only(Phase::Count) {
        0 => needed,
        _ => needed | only(Phase::Next),
    }
}
