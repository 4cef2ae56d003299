//! Gates under construction: equal ones are shared, and constants disappear.

use super::super::{Operands, PropNode, PropNodeId, Propnet, Signal};
use crate::ground::BaseId;
use crate::id::IdVec;
use rustc_hash::FxHashMap;

/// The gates of a new propnet over the fluents of another.
pub(super) struct GateBuilder {
    nodes: IdVec<PropNodeId, PropNode>,
    known: FxHashMap<Operands, PropNodeId>,
    fluents: IdVec<BaseId, Signal>,
}

impl GateBuilder {
    pub(super) fn new(net: &Propnet) -> Self {
        let mut nodes = IdVec::new();
        nodes.push(PropNode::True);
        let fluents = net.bases.ids();
        let fluents = fluents
            .map(|base| Signal::of(nodes.push(PropNode::Base(base))))
            .collect();
        Self {
            nodes,
            known: FxHashMap::default(),
            fluents,
        }
    }

    /// The number of gates.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The value of a fluent now.
    pub(super) fn fluent(&self, base: BaseId) -> Signal {
        self.fluents[base]
    }

    /// Whether all of these hold.
    pub(super) fn and(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        let mut operands: Operands = signals.into_iter().collect();
        operands.retain(|signal| *signal != Signal::TRUE);
        operands.sort_unstable();
        operands.dedup();
        // A node and its negation are neighbours in this order.
        let clash = operands.windows(2).any(|pair| pair[0] == !pair[1]);
        if clash || operands.first() == Some(&Signal::FALSE) {
            return Signal::FALSE;
        }
        match operands[..] {
            [] => Signal::TRUE,
            [only] => only,
            _ => {
                let nodes = &mut self.nodes;
                let known = self.known.entry(operands);
                let gate = known
                    .or_insert_with_key(|operands| nodes.push(PropNode::And(operands.clone())));
                Signal::of(*gate)
            }
        }
    }

    /// Whether one of these holds.
    pub(super) fn or(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        !self.and(signals.into_iter().map(|signal| !signal))
    }

    pub(super) fn into_nodes(self) -> IdVec<PropNodeId, PropNode> {
        self.nodes
    }
}
