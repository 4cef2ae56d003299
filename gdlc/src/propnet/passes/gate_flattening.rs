//! Merges a conjunction into the only conjunction that reads it.

use super::Pass;
use crate::propnet::rebuild::{count_uses, push_and, rebuild};
use crate::propnet::{PropNode, Propnet, Signal};

/// Leaves no conjunction read by one other conjunction only.
pub(super) const PASS: Pass = Pass {
    name: "gate_flattening",
    run: gate_flattening,
};

/// Wider gates are left as they are: later passes look at pairs of operands.
const WIDEST: usize = 4096;

fn gate_flattening(net: &Propnet) -> Propnet {
    let uses = count_uses(net);
    // Of every new node, how often the old node that it stands for was read.
    let mut uses_of_new = Vec::new();
    rebuild(net, |nodes, id, operands| {
        let mut flat: Vec<Signal> = Vec::with_capacity(operands.len());
        for operand in operands {
            let index = crate::id::Id::index(operand.node());
            let single = uses_of_new.get(index) == Some(&1);
            match &nodes[operand.node()] {
                PropNode::And(inner)
                    if single && !operand.inverted() && flat.len() + inner.len() <= WIDEST =>
                {
                    flat.extend(inner);
                }
                _ => flat.push(operand),
            }
        }
        let signal = push_and(nodes, flat);
        uses_of_new.resize(nodes.len(), 0);
        uses_of_new[crate::id::Id::index(signal.node())] += uses[id];
        signal
    })
}
