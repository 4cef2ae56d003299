//! Replaces fluents that never change by their initial value.
//!
//! All fluents are assumed constant at first; those whose next value does not
//! follow from the assumption are given up, and what rested on them is looked at
//! again, until the assumption proves itself.

use super::fold_constants::fold;
use crate::ground::BaseId;
use crate::id::{Id, IdVec};
use crate::net::rebuild::{push_and, rebuild};
use crate::net::{Net, Node, NodeId, Signal};

pub(super) fn freeze_bases(net: &Net) -> Net {
    let frozen = Frozen::find(net);
    let mut result = net.clone();
    for (id, node) in result.nodes.iter_mut().enumerate() {
        // Node 0 is the constant; a one-operand gate stands for it until folded.
        if let Some(value) = frozen.constant(NodeId::new(id), node) {
            *node = Node::And([Signal::TRUE.invert_if(!value)].into());
        }
    }
    for (id, base) in result.bases.iter_mut().enumerate() {
        if frozen.bases[BaseId::new(id)] {
            base.next = Signal::TRUE.invert_if(!base.initially);
        }
    }
    rebuild(&result, |nodes, _, operands| match fold(operands) {
        Some(operands) => push_and(nodes, operands),
        None => Signal::FALSE,
    })
}

struct Frozen<'a> {
    net: &'a Net,
    bases: IdVec<BaseId, bool>,
}

impl<'a> Frozen<'a> {
    fn find(net: &'a Net) -> Self {
        let mut frozen = Self {
            net,
            bases: IdVec::filled(true, net.bases.len()),
        };
        loop {
            let values = frozen.values();
            let mut thawed = false;
            for (id, base) in net.bases.iter_ids() {
                let next = values[base.next.node()].map(|value| value != base.next.inverted());
                if frozen.bases[id] && next != Some(base.initially) {
                    frozen.bases[id] = false;
                    thawed = true;
                }
            }
            if !thawed {
                return frozen;
            }
        }
    }

    fn constant(&self, id: NodeId, node: &Node) -> Option<bool> {
        match node {
            Node::Base(base) if self.bases[*base] && id.index() != 0 => {
                Some(self.net.bases[*base].initially)
            }
            _ => None,
        }
    }

    /// The value of every node, where the assumption fixes it.
    fn values(&self) -> IdVec<NodeId, Option<bool>> {
        let mut values: IdVec<NodeId, Option<bool>> = IdVec::new();
        for (id, node) in self.net.nodes.iter_ids() {
            let value = match node {
                Node::True => Some(true),
                Node::Base(_) => self.constant(id, node),
                Node::Does(_) | Node::Loop(_) => None,
                Node::And(operands) => conjunction(operands, &values),
            };
            values.push(value);
        }
        values
    }
}

fn conjunction(operands: &[Signal], values: &IdVec<NodeId, Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for operand in operands {
        match values[operand.node()].map(|value| value != operand.inverted()) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}
