//! Removes nodes, and loop atoms, that no output depends on.

use super::Pass;
use crate::id::{Id, IdVec};
use crate::propnet::{LoopId, PropNode, PropNodeId, Propnet, Signal};

/// Leaves no node that nothing needs.
pub(super) const PASS: Pass = Pass {
    name: "dead_code_elimination",
    run: dead_code_elimination,
};

fn dead_code_elimination(net: &Propnet) -> Propnet {
    let needed = Needed::find(net);
    let mut loop_ids: IdVec<LoopId, Option<LoopId>> = IdVec::new();
    let mut kept = 0..;
    for &is_needed in &needed.loops {
        let number = if is_needed { kept.next() } else { None };
        loop_ids.push(number.map(LoopId::new));
    }
    let mut nodes: IdVec<PropNodeId, PropNode> = IdVec::new();
    let mut moved: IdVec<PropNodeId, Signal> = IdVec::filled(Signal::FALSE, net.nodes.len());
    for (id, node) in net.nodes.iter_ids() {
        if !needed.nodes[id] {
            continue;
        }
        let replaced = match node {
            PropNode::And(operands) => PropNode::And(
                operands
                    .iter()
                    .map(|operand| moved[operand.node()].invert_if(operand.inverted()))
                    .collect(),
            ),
            PropNode::Loop(id) => match loop_ids[*id] {
                Some(id) => PropNode::Loop(id),
                None => continue,
            },
            input => input.clone(),
        };
        moved[id] = Signal::of(nodes.push(replaced));
    }
    let mut result = net.with_nodes(nodes, |signal| {
        moved[signal.node()].invert_if(signal.inverted())
    });
    let loops = result.loops.iter_ids();
    let loops = loops.filter(|(id, _)| needed.loops[*id]);
    result.loops = loops.map(|(_, atom)| atom.clone()).collect();
    result
}

struct Needed {
    nodes: IdVec<PropNodeId, bool>,
    loops: IdVec<LoopId, bool>,
}

impl Needed {
    fn find(net: &Propnet) -> Self {
        let mut needed = Self {
            nodes: IdVec::filled(false, net.nodes.len()),
            loops: IdVec::filled(false, net.loops.len()),
        };
        needed.nodes[PropNodeId::new(0)] = true;
        let outputs = net.roots().count() - net.loops.len();
        let mut open: Vec<PropNodeId> = net.roots().take(outputs).map(Signal::node).collect();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut needed.nodes[id], true) && id.index() != 0 {
                continue;
            }
            match &net.nodes[id] {
                PropNode::And(operands) => {
                    open.extend(operands.iter().map(|operand| operand.node()));
                }
                PropNode::Loop(atom) => {
                    needed.loops[*atom] = true;
                    open.push(net.loops[*atom].definition.node());
                }
                PropNode::True | PropNode::Base(_) | PropNode::Does(_) => {}
            }
        }
        needed
    }
}
