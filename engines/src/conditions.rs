//! Conditions of a propnet, in terms of an engine's fluent numbers.

use gdl_runtime::conditions::{ConditionLiteral, FluentConditions, LiteralSource};
use gdl_runtime::layout::Layout;
use gdlc::id::IdVec;
use gdlc::propnet::{PropNode, PropNodeId, Propnet, Signal};
use std::collections::HashMap;

/// The numbers of a layout's fluents by their names.
pub(crate) fn fluent_numbers(layout: &Layout) -> HashMap<&str, u32> {
    let names = (0..).zip(&layout.bases);
    names.map(|(number, base)| (&*base.name, number)).collect()
}

/// Conditions, each the conjunction of some signals, with the numbers of fluents by their names;
/// `None` if one of them depends on moves, on recursion or on a fluent without a number.
pub(crate) fn conditions_of<S: AsRef<[Signal]>>(
    outputs: &[S],
    net: &Propnet,
    fluents: &HashMap<&str, u32>,
) -> Option<FluentConditions> {
    let needed = needed_by(outputs, net);
    let mut sources: IdVec<PropNodeId, Option<LiteralSource>> =
        IdVec::filled(None, net.nodes.len());
    let mut gates: Vec<Box<[ConditionLiteral]>> = Vec::new();
    for (id, node) in net.nodes.iter_ids().filter(|&(id, _)| needed[id]) {
        let gate = match node {
            PropNode::Base(base) => {
                let fluent = fluents.get(&*net.bases[*base].name)?;
                sources[id] = Some(LiteralSource::Fluent(*fluent));
                continue;
            }
            PropNode::True => [].into(),
            PropNode::And(operands) => conjunction(&sources, operands)?,
            PropNode::Does(_) | PropNode::Loop(_) => return None,
        };
        sources[id] = Some(LiteralSource::Gate(gates.len() as u32));
        gates.push(gate);
    }
    let mut numbers = Vec::new();
    for signals in outputs {
        numbers.push(gates.len() as u32);
        gates.push(conjunction(&sources, signals.as_ref())?);
    }
    Some(FluentConditions {
        gates: gates.into(),
        outputs: numbers.into(),
    })
}

/// Which nodes the conditions depend on.
fn needed_by<S: AsRef<[Signal]>>(outputs: &[S], net: &Propnet) -> IdVec<PropNodeId, bool> {
    let mut needed = IdVec::filled(false, net.nodes.len());
    let signals = outputs.iter().flat_map(AsRef::as_ref);
    signals.for_each(|signal| needed[signal.node()] = true);
    for (id, node) in net.nodes.iter_ids().rev() {
        if let (true, PropNode::And(operands)) = (needed[id], node) {
            operands
                .iter()
                .for_each(|operand| needed[operand.node()] = true);
        }
    }
    needed
}

fn conjunction(
    sources: &IdVec<PropNodeId, Option<LiteralSource>>,
    signals: &[Signal],
) -> Option<Box<[ConditionLiteral]>> {
    let literals = signals.iter().map(|signal| {
        Some(ConditionLiteral {
            source: sources[signal.node()]?,
            inverted: signal.inverted(),
        })
    });
    literals.collect()
}
