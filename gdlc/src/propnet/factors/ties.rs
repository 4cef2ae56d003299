//! What terminal states and goals tie together.
//!
//! A condition on several parts of a game is composed of conditions on each, as in "both
//! boards are full". A gate whose operands depend on disjoint sets of fluents is such a
//! condition and ties nothing; operands that share fluents are one condition.

use petgraph::unionfind::UnionFind;

use super::cones::{Cones, InputId};
use crate::id::IdVec;
use crate::propnet::{PropNode, Propnet, Signal};

/// Calls `tie` with each condition that a signal is made of: the signals that all have to hold,
/// and the inputs that the condition ties together. `None` once cones have become too large.
pub(super) fn find_ties(
    net: &Propnet,
    cones: &mut Cones<'_>,
    root: Signal,
    tie: &mut impl FnMut(&[Signal], &[InputId]),
) -> Option<()> {
    let mut open = vec![root];
    while let Some(signal) = open.pop() {
        let PropNode::And(operands) = &net.nodes[signal.node()] else {
            tie(&[signal], &cones.of(signal)?);
            continue;
        };
        for (operands, inputs) in conditions(cones, operands)? {
            match operands[..] {
                [only] => open.push(only),
                _ => tie(&operands, &inputs),
            }
        }
    }
    Some(())
}

/// The operands of a gate in groups that share no inputs, with the inputs of each.
fn conditions(
    cones: &mut Cones<'_>,
    operands: &[Signal],
) -> Option<Vec<(Vec<Signal>, Vec<InputId>)>> {
    let mut groups: UnionFind<usize> = UnionFind::new(operands.len());
    let mut first_use: IdVec<InputId, Option<usize>> = IdVec::filled(None, cones.inputs());
    let mut inputs = Vec::new();
    for (index, &operand) in operands.iter().enumerate() {
        let cone = cones.of(operand)?;
        for &input in &cone {
            match first_use[input] {
                Some(other) => _ = groups.union(index, other),
                None => first_use[input] = Some(index),
            }
        }
        inputs.push(cone);
    }
    let mut found: Vec<(Vec<Signal>, Vec<InputId>)> = vec![Default::default(); operands.len()];
    for (index, cone) in inputs.into_iter().enumerate() {
        let group = &mut found[groups.find(index)];
        group.0.push(operands[index]);
        group.1.extend(cone);
    }
    found.retain(|(_, inputs)| !inputs.is_empty());
    Some(found)
}
