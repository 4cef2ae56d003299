//! Drops operands that a move's legality already implies.
//!
//! A move is made only where it is legal. Next to `does(m)`, an operand that
//! `legal(m)` implies is redundant, and one that it contradicts makes the
//! conjunction false.

use super::Pass;
use crate::ground::MoveId;
use crate::propnet::analyses::ImpliedLiterals;
use crate::propnet::rebuild::{push_and, rebuild};
use crate::propnet::{Operands, PropNode, Propnet, Signal};

/// Leaves no operand that follows from a move's legality beside that move.
pub(super) const PASS: Pass = Pass {
    name: "implied_operands",
    run: implied_operands,
};

fn implied_operands(net: &Propnet) -> Propnet {
    let implied = ImpliedLiterals::find(net);
    rebuild(net, |nodes, id, operands| {
        let PropNode::And(old) = &net.nodes[id] else {
            unreachable!("only conjunctions are rebuilt")
        };
        let moves: Vec<MoveId> = old
            .iter()
            .filter(|operand| !operand.inverted())
            .filter_map(|operand| match net.nodes[operand.node()] {
                PropNode::Does(mv) => Some(mv),
                _ => None,
            })
            .collect();
        let follows = |signal: Signal| {
            moves
                .iter()
                .any(|mv| implied.implies(net.moves[*mv].legal, signal))
        };
        if old.iter().any(|&operand| follows(!operand)) {
            return Signal::FALSE;
        }
        let kept = old
            .iter()
            .zip(operands)
            .filter(|(old, _)| !follows(**old))
            .map(|(_, new)| new);
        push_and(nodes, kept.collect::<Operands>())
    })
}
