//! Fluents that no move influences, not even through other fluents or recursion, such as
//! those that count moves.

use crate::ground::BaseId;
use crate::id::IdVec;
use crate::propnet::{PropNode, PropNodeId, Propnet};

/// Whether each fluent changes in the same way whatever moves are made.
pub(crate) fn find_autonomous_bases(net: &Propnet) -> IdVec<BaseId, bool> {
    let depends = nodes_behind_moves(net);
    let autonomous = net.bases.iter().map(|base| !depends[base.next.node()]);
    autonomous.collect()
}

/// Whether the value of each node depends on a move of this step or of an earlier one.
fn nodes_behind_moves(net: &Propnet) -> IdVec<PropNodeId, bool> {
    let readers = readers(net);
    let mut depends = IdVec::filled(false, net.nodes.len());
    let nodes = net.nodes.iter_ids();
    let moves = nodes.filter(|(_, node)| matches!(node, PropNode::Does(_)));
    let mut open: Vec<PropNodeId> = moves.map(|(id, _)| id).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut depends[node], true) {
            open.extend(&readers[node]);
        }
    }
    depends
}

/// For each node, the nodes that its value enters: gates, a recursive atom that it defines, and
/// a fluent whose next value it is.
fn readers(net: &Propnet) -> IdVec<PropNodeId, Vec<PropNodeId>> {
    let mut readers = IdVec::filled(Vec::new(), net.nodes.len());
    for (id, node) in net.nodes.iter_ids() {
        match node {
            PropNode::True | PropNode::Does(_) => {}
            PropNode::Base(base) => readers[net.bases[*base].next.node()].push(id),
            PropNode::Loop(atom) => readers[net.loops[*atom].definition.node()].push(id),
            PropNode::And(operands) => {
                for operand in operands {
                    readers[operand.node()].push(id);
                }
            }
        }
    }
    readers
}
