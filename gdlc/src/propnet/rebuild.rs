//! Rewriting a propnet node by node.

use super::{Operands, PropNode, PropNodeId, Propnet, Signal};
use crate::id::IdVec;

/// Builds a propnet anew: `make` receives every conjunction of the old propnet, in
/// order, with its operands already replaced, and says which signal stands for
/// it; it may push nodes of its own.
pub(super) fn rebuild(
    net: &Propnet,
    mut make: impl FnMut(&mut IdVec<PropNodeId, PropNode>, PropNodeId, Operands) -> Signal,
) -> Propnet {
    let mut nodes = IdVec::new();
    let mut replacements: IdVec<PropNodeId, Signal> = IdVec::new();
    let replaced = |replacements: &IdVec<PropNodeId, Signal>, signal: Signal| {
        replacements[signal.node()].invert_if(signal.inverted())
    };
    for (id, node) in net.nodes.iter_ids() {
        let signal = match node {
            PropNode::And(operands) => {
                let operands = operands
                    .iter()
                    .map(|&operand| replaced(&replacements, operand))
                    .collect();
                make(&mut nodes, id, operands)
            }
            input => Signal::of(nodes.push(input.clone())),
        };
        replacements.push(signal);
    }
    net.with_nodes(nodes, |signal| replaced(&replacements, signal))
}

/// Pushes a conjunction, unless it has fewer than two operands.
pub(crate) fn push_and(
    nodes: &mut IdVec<PropNodeId, PropNode>,
    operands: impl Into<Operands>,
) -> Signal {
    let operands = operands.into();
    match operands[..] {
        [] => Signal::TRUE,
        [only] => only,
        _ => Signal::of(nodes.push(PropNode::And(operands))),
    }
}

/// How often every node is read, by nodes and roots.
pub(crate) fn count_uses(net: &Propnet) -> IdVec<PropNodeId, u32> {
    let mut uses = IdVec::filled(0, net.nodes.len());
    for node in &net.nodes {
        if let PropNode::And(operands) = node {
            for operand in operands {
                uses[operand.node()] += 1;
            }
        }
    }
    for root in net.roots() {
        uses[root.node()] += 1;
    }
    uses
}
