//! Human-readable propnets.

use super::{PropNode, Propnet, Signal};
use crate::id::Id;
use std::fmt::Write as _;

/// A propnet as text, one node per line.
#[must_use]
pub fn show_propnet(net: &Propnet) -> String {
    let mut text = format!(
        "; {}, {} fluents, {} moves, {} loop atoms\n",
        net.size(),
        net.bases.len(),
        net.moves.len(),
        net.loops.len()
    );
    for (id, node) in net.nodes.iter_ids() {
        let _ = writeln!(text, "n{} = {}", id.index(), describe(net, node));
    }
    let _ = writeln!(text, "terminal = {:?}", net.terminal);
    for mv in &net.moves {
        let role = &net.roles[mv.role];
        let _ = writeln!(text, "(legal {role} {}) = {:?}", mv.name, mv.legal);
    }
    for goal in &net.goals {
        let role = &net.roles[goal.role];
        let _ = writeln!(text, "(goal {role} {}) = {:?}", goal.value, goal.holds);
    }
    for base in &net.bases {
        let _ = writeln!(text, "(next {}) = {:?}", base.name, base.next);
    }
    for atom in &net.loops {
        let (name, group) = (&atom.name, atom.group);
        let _ = writeln!(text, "{name} = {:?} ; group {group}", atom.definition);
    }
    text
}

/// A propnet in Graphviz's language; dashed edges invert.
#[must_use]
pub fn show_dot(net: &Propnet) -> String {
    let mut text = String::from("digraph net {\n  rankdir = LR;\n");
    for (id, node) in net.nodes.iter_ids() {
        let id = id.index();
        let label = match node {
            PropNode::And(_) => "and".to_owned(),
            input => describe(net, input),
        };
        let _ = writeln!(text, "  n{id} [label={label:?}];");
        if let PropNode::And(operands) = node {
            for &operand in operands {
                edge(&mut text, operand, &format!("n{id}"));
            }
        }
    }
    let mut output = |label: String, signal: Signal| {
        let _ = writeln!(text, "  {label:?} [shape=box];");
        edge(&mut text, signal, &format!("{label:?}"));
    };
    output("terminal".to_owned(), net.terminal);
    for mv in &net.moves {
        output(
            format!("legal {} {}", net.roles[mv.role], mv.name),
            mv.legal,
        );
    }
    for goal in &net.goals {
        output(
            format!("goal {} {}", net.roles[goal.role], goal.value),
            goal.holds,
        );
    }
    for base in &net.bases {
        output(format!("next {}", base.name), base.next);
    }
    for atom in &net.loops {
        output(format!("definition {}", atom.name), atom.definition);
    }
    text.push_str("}\n");
    text
}

fn edge(text: &mut String, from: Signal, to: &str) {
    let style = if from.inverted() {
        " [style=dashed]"
    } else {
        ""
    };
    let _ = writeln!(text, "  n{} -> {to}{style};", from.node().index());
}

fn describe(net: &Propnet, node: &PropNode) -> String {
    match node {
        PropNode::True => "true".to_owned(),
        PropNode::Base(base) => format!("(true {})", net.bases[*base].name),
        PropNode::Does(mv) => {
            let mv = &net.moves[*mv];
            format!("(does {} {})", net.roles[mv.role], mv.name)
        }
        PropNode::Loop(atom) => format!("loop {}", net.loops[*atom].name),
        PropNode::And(operands) => {
            let operands: Vec<_> = operands
                .iter()
                .map(|operand| format!("{operand:?}"))
                .collect();
            format!("and {}", operands.join(" "))
        }
    }
}
