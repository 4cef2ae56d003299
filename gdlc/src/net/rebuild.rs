//! Rewriting a net node by node.

use super::{Net, Node, NodeId, Signal};
use crate::id::IdVec;

/// Builds a net anew: `make` receives every conjunction of the old net, in
/// order, with its operands already replaced, and says which signal stands for
/// it; it may push nodes of its own.
pub(super) fn rebuild(
    net: &Net,
    mut make: impl FnMut(&mut IdVec<NodeId, Node>, NodeId, Vec<Signal>) -> Signal,
) -> Net {
    let mut nodes = IdVec::new();
    let mut replacements: IdVec<NodeId, Signal> = IdVec::new();
    let replaced = |replacements: &IdVec<NodeId, Signal>, signal: Signal| {
        replacements[signal.node()].invert_if(signal.inverted())
    };
    for (id, node) in net.nodes.iter_ids() {
        let signal = match node {
            Node::And(operands) => {
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
    let mut rebuilt = Net {
        nodes,
        roles: net.roles.clone(),
        bases: net.bases.clone(),
        moves: net.moves.clone(),
        loops: net.loops.clone(),
        terminal: net.terminal,
        goals: net.goals.clone(),
    };
    rebuilt.map_roots(|signal| replaced(&replacements, signal));
    rebuilt
}

/// Pushes a conjunction, unless it has fewer than two operands.
pub(super) fn push_and(nodes: &mut IdVec<NodeId, Node>, operands: Vec<Signal>) -> Signal {
    match operands[..] {
        [] => Signal::TRUE,
        [only] => only,
        _ => Signal::of(nodes.push(Node::And(operands.into()))),
    }
}

/// How often every node is read, by nodes and roots.
pub(super) fn count_uses(net: &Net) -> IdVec<NodeId, u32> {
    let mut uses = IdVec::filled(0, net.nodes.len());
    for node in &net.nodes {
        if let Node::And(operands) = node {
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
