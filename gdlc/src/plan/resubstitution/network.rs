//! [`LutNetwork`]: the luts of a cover, what reads them, and their replacement.

use crate::id::{Id, IdVec};
use crate::plan::Arity;
use crate::plan::circuit::{CircuitInput, Gate, GateEdge, GateId};
use crate::plan::cover::{Cover, GateLut, LutCut};
use crate::plan::lower::Lowered;

/// The most luts that are looked at to see what a replacement saves.
const MOST_FREED: usize = 32;

/// The luts of a cover while they are replaced.
pub struct LutNetwork {
    luts: IdVec<GateId, Option<GateLut>>,
    /// The fluent that each gate is.
    fluents: IdVec<GateId, Option<u32>>,
    /// For each gate, how many luts and outputs read it.
    references: IdVec<GateId, u32>,
    /// The luts that read each gate, gate by gate, before any was replaced.
    readers: Vec<GateId>,
    /// Where the readers of each gate begin, and where those of the last one end.
    first_reader: Vec<u32>,
}

impl LutNetwork {
    /// The network of a cover.
    pub fn new(lowered: &Lowered, cover: &Cover) -> Self {
        let gates = &lowered.circuit.gates;
        let fluents = gates.iter().map(|gate| match gate {
            Gate::CircuitInput(CircuitInput::Base(base)) => Some(*base),
            _ => None,
        });
        let mut references = IdVec::filled(0, gates.len());
        for edge in lowered.needed() {
            references[edge.node()] += 1;
        }
        let mut reads: Vec<(GateId, GateId)> = Vec::new();
        for (reader, lut) in cover.luts.iter_ids() {
            let gates = lut.iter().flat_map(|lut| lut.reads.gates());
            reads.extend(gates.map(|&read| (read, reader)));
        }
        reads.sort_unstable();
        for (read, _) in &reads {
            references[*read] += 1;
        }
        let starts = (0..=gates.len()).map(|gate| {
            let before = |(read, _): &(GateId, GateId)| read.index() < gate;
            reads.partition_point(before) as u32
        });
        let first_reader = starts.collect();
        Self {
            luts: cover.luts.clone(),
            fluents: fluents.collect(),
            references,
            readers: reads.into_iter().map(|(_, reader)| reader).collect(),
            first_reader,
        }
    }

    /// All luts, each after what it reads.
    pub fn luts(&self) -> impl Iterator<Item = GateId> {
        self.luts
            .iter_ids()
            .filter(|(_, lut)| lut.is_some())
            .map(|(id, _)| id)
    }

    /// The lut of a gate.
    pub fn lut(&self, gate: GateId) -> Option<&GateLut> {
        self.luts[gate].as_ref()
    }

    /// The fluent that a gate is.
    pub fn fluent(&self, gate: GateId) -> Option<u32> {
        self.fluents[gate]
    }

    /// Whether something still reads a gate.
    pub fn is_read(&self, gate: GateId) -> bool {
        self.references[gate] > 0
    }

    /// The luts that read a gate, or did so before they were replaced.
    pub fn readers(&self, gate: GateId) -> &[GateId] {
        let [start, end] = [gate.index(), gate.index() + 1].map(|gate| self.first_reader[gate]);
        &self.readers[start as usize..end as usize]
    }

    /// The luts that would have no reader without this one, and itself; if there are too many, not
    /// all of them.
    pub fn needed_only_by(&mut self, gate: GateId) -> Vec<GateId> {
        let mut freed = vec![gate];
        let mut next = 0;
        while let Some(lut) = freed.get(next).and_then(|&gate| self.luts[gate]) {
            next += 1;
            for &read in lut.reads.gates() {
                self.references[read] -= 1;
                let is_free = self.references[read] == 0 && self.luts[read].is_some();
                if is_free && freed.len() < MOST_FREED {
                    freed.push(read);
                }
            }
        }
        for lut in freed.iter().filter_map(|&gate| self.luts[gate]) {
            for &read in lut.reads.gates() {
                self.references[read] += 1;
            }
        }
        freed
    }

    /// Those of some luts that others among them need.
    pub fn needed_among(&self, luts: &[GateId], roots: &[GateId]) -> Vec<GateId> {
        let mut needed: Vec<GateId> = Vec::new();
        let mut open: Vec<GateId> = roots.to_vec();
        while let Some(gate) = open.pop() {
            if luts.contains(&gate) && !needed.contains(&gate) {
                needed.push(gate);
                open.extend(self.luts[gate].iter().flat_map(|lut| lut.reads.gates()));
            }
        }
        needed
    }

    /// What some luts cost.
    pub fn cost(&self, luts: &[GateId], arity: Arity) -> u32 {
        let luts = luts.iter().filter_map(|&gate| self.luts[gate].as_ref());
        luts.map(|lut| arity.cost(lut.reads.gates().len())).sum()
    }

    /// Puts another lut in the place of one.
    pub fn replace(&mut self, gate: GateId, lut: GateLut) {
        for &read in lut.reads.gates() {
            self.references[read] += 1;
        }
        let mut unread: Vec<GateLut> = self.luts[gate].replace(lut).into_iter().collect();
        while let Some(lut) = unread.pop() {
            for &read in lut.reads.gates() {
                self.references[read] -= 1;
                if self.references[read] == 0 {
                    unread.extend(self.luts[read]);
                }
            }
        }
    }

    /// Writes the luts that are left to a cover. What reads a lut that only repeats or negates
    /// another value reads that value instead.
    pub fn finish(self, lowered: &mut Lowered, cover: &mut Cover) {
        let mut stands_for: IdVec<GateId, GateEdge> = IdVec::new();
        for (id, lut) in self.luts.iter_ids() {
            let lut = lut.filter(|_| self.references[id] > 0).map(|lut| {
                let edges = lut.reads.gates().iter().map(|&read| stands_for[read]);
                lut_of_edges(&edges.collect::<Vec<_>>(), lut.truth)
            });
            let edge = lut.and_then(|lut| edge_of_lut(&lut));
            stands_for.push(edge.unwrap_or(GateEdge::of(id)));
            cover.luts[id] = lut.filter(|_| edge.is_none());
        }
        lowered.replace_edges(|edge| stands_for[edge.node()].invert_if(edge.inverted()));
    }
}

/// The edge whose value a lut repeats.
fn edge_of_lut(lut: &GateLut) -> Option<GateEdge> {
    let inverted = lut.truth & 1 != 0;
    match lut.reads.gates() {
        [] => Some(GateEdge::FALSE.invert_if(inverted)),
        [only] => Some(GateEdge::of(*only).invert_if(inverted)),
        _ => None,
    }
}

/// A lut of edges, which may be constant or equal; it reads only what makes a difference.
fn lut_of_edges(edges: &[GateEdge], truth: u8) -> GateLut {
    let constant = GateEdge::TRUE.node();
    let mut gates: Vec<GateId> = edges.iter().map(|edge| edge.node()).collect();
    gates.retain(|&gate| gate != constant);
    gates.sort_unstable();
    gates.dedup();
    let row_of = |row: usize| {
        let values = edges.iter().map(|edge| {
            let place = gates.iter().position(|&gate| gate == edge.node());
            place.is_none_or(|place| row >> (2 - place) & 1 != 0) != edge.inverted()
        });
        let places = values.enumerate();
        places.fold(0, |row, (place, value)| {
            row | usize::from(value) << (2 - place)
        })
    };
    let restated = (0..8).fold(0, |all, row| all | (truth >> row_of(row) & 1) << row);
    let unused = (0..gates.len()).find(|place| {
        let bit = 4 >> place;
        (0..8).all(|row| restated >> row & 1 == restated >> (row ^ bit) & 1)
    });
    match unused {
        None => GateLut {
            reads: LutCut::of(&gates),
            truth: restated,
        },
        Some(unused) => {
            let edges: Vec<GateEdge> = (gates.iter().enumerate())
                .map(|(place, &gate)| match place == unused {
                    true => GateEdge::TRUE,
                    false => GateEdge::of(gate),
                })
                .collect();
            lut_of_edges(&edges, restated)
        }
    }
}
