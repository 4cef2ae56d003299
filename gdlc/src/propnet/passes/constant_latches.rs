//! Replaces fluents that never change by their initial value.
//!
//! All fluents are assumed constant at first. A fluent whose next value does not
//! follow from the assumption is dropped from it, together with everything that
//! relied on that fluent, until the assumption is inductive.

use super::Pass;
use super::constant_folding::fold;
use crate::ground::BaseId;
use crate::id::{Id, IdVec};
use crate::propnet::rebuild::{push_and, rebuild};
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};
use smallvec::smallvec;

/// Leaves no fluent that keeps its initial value for ever to be read.
pub(super) const PASS: Pass = Pass {
    name: "constant_latches",
    run: constant_latches,
};

fn constant_latches(net: &Propnet) -> Propnet {
    let frozen = Assumption::prove(net);
    let mut result = net.clone();
    for (base, planned) in net.bases.iter_ids() {
        if frozen[base] {
            result.bases[base].next = Signal::TRUE.invert_if(!planned.initially);
        }
    }
    for node in result.nodes.iter_mut() {
        if let PropNode::Base(base) = node
            && frozen[*base]
        {
            // A gate of one operand stands for it until it is folded.
            *node = PropNode::And(smallvec![
                Signal::TRUE.invert_if(!net.bases[*base].initially)
            ]);
        }
    }
    rebuild(&result, |nodes, _, operands| match fold(operands) {
        Some(operands) => push_and(nodes, operands),
        None => Signal::FALSE,
    })
}

/// The assumption that some fluents never change, and what follows from it.
struct Assumption<'a> {
    net: &'a Propnet,
    frozen: IdVec<BaseId, bool>,
    /// The nodes' values, where the assumption fixes them.
    values: IdVec<PropNodeId, Option<bool>>,
    /// How many operands of each gate are known to be false.
    falsified: IdVec<PropNodeId, u32>,
    /// The gates that read each node, inverted if they read its opposite: those of
    /// node n stand in `readers` from `first_reader[n]` to `first_reader[n + 1]`.
    first_reader: Vec<u32>,
    readers: Vec<Signal>,
    /// The fluents whose next value each node decides.
    decides: IdVec<PropNodeId, Vec<BaseId>>,
    /// The nodes that stand for each fluent.
    nodes_of: IdVec<BaseId, Vec<PropNodeId>>,
}

impl<'a> Assumption<'a> {
    /// Whether each fluent keeps its initial value for ever.
    fn prove(net: &'a Propnet) -> IdVec<BaseId, bool> {
        let mut assumption = Self::new(net);
        let bases: Vec<BaseId> = net.bases.ids().collect();
        for base in bases {
            assumption.check(base);
        }
        assumption.frozen
    }

    fn new(net: &'a Propnet) -> Self {
        let mut first_reader = vec![0; net.nodes.len() + 1];
        let gates = || net.nodes.iter_ids().filter_map(gate_operands);
        for (_, operands) in gates() {
            for operand in operands {
                first_reader[operand.node().index() + 1] += 1;
            }
        }
        for index in 1..first_reader.len() {
            first_reader[index] += first_reader[index - 1];
        }
        let mut free = first_reader.clone();
        let mut readers = vec![Signal::FALSE; free.last().map_or(0, |&end| end as usize)];
        for (gate, operands) in gates() {
            for operand in operands {
                let place = &mut free[operand.node().index()];
                readers[*place as usize] = Signal::of(gate).invert_if(operand.inverted());
                *place += 1;
            }
        }
        let mut assumption = Self {
            net,
            frozen: IdVec::filled(true, net.bases.len()),
            values: IdVec::new(),
            falsified: IdVec::new(),
            first_reader,
            readers,
            decides: IdVec::filled(Vec::new(), net.nodes.len()),
            nodes_of: IdVec::filled(Vec::new(), net.bases.len()),
        };
        for (id, node) in net.nodes.iter_ids() {
            let (value, falsified) = assumption.evaluate(node);
            assumption.values.push(value);
            assumption.falsified.push(falsified);
            if let PropNode::Base(base) = node {
                assumption.nodes_of[*base].push(id);
            }
        }
        for (base, planned) in net.bases.iter_ids() {
            assumption.decides[planned.next.node()].push(base);
        }
        assumption
    }

    /// A node's value while all fluents are frozen, and how many of its operands
    /// are false.
    fn evaluate(&self, node: &PropNode) -> (Option<bool>, u32) {
        match node {
            PropNode::True => (Some(true), 0),
            PropNode::Base(base) => (Some(self.net.bases[*base].initially), 0),
            PropNode::Does(_) | PropNode::Loop(_) => (None, 0),
            PropNode::And(operands) => {
                let known = || operands.iter().map(|&operand| self.signal(operand));
                let falsified = known().filter(|&value| value == Some(false)).count();
                let verified = known().all(|value| value == Some(true));
                let value = (falsified > 0 || verified).then_some(verified);
                (value, falsified as u32)
            }
        }
    }

    fn signal(&self, signal: Signal) -> Option<bool> {
        self.values[signal.node()].map(|value| value != signal.inverted())
    }

    /// Gives up a fluent, and all that followed from it, if its next value may differ
    /// from its initial one.
    fn check(&mut self, base: BaseId) {
        let mut doubtful = vec![base];
        while let Some(base) = doubtful.pop() {
            let planned = &self.net.bases[base];
            if !self.frozen[base] || self.signal(planned.next) == Some(planned.initially) {
                continue;
            }
            self.frozen[base] = false;
            let mut unknown = self.nodes_of[base].clone();
            while let Some(node) = unknown.pop() {
                if let Some(value) = self.values[node].take() {
                    doubtful.extend(&self.decides[node]);
                    self.tell_readers(node, value, &mut unknown);
                }
            }
        }
    }

    /// Tells the readers of a node that had this value that it is no longer known; adds
    /// to `unknown` the gates whose value rested on it.
    fn tell_readers(&mut self, node: PropNodeId, value: bool, unknown: &mut Vec<PropNodeId>) {
        let readers = self.first_reader[node.index()]..self.first_reader[node.index() + 1];
        for &reader in &self.readers[readers.start as usize..readers.end as usize] {
            let gate = reader.node();
            if value == reader.inverted() {
                self.falsified[gate] -= 1;
            }
            if self.falsified[gate] == 0 {
                unknown.push(gate);
            }
        }
    }
}

fn gate_operands((id, node): (PropNodeId, &PropNode)) -> Option<(PropNodeId, &[Signal])> {
    match node {
        PropNode::And(operands) => Some((id, operands)),
        _ => None,
    }
}
