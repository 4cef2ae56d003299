//! Folds constant, repeated and contradictory operands.

use super::Pass;
use crate::propnet::rebuild::{push_and, rebuild};
use crate::propnet::{Operands, Propnet, Signal};

/// Leaves no constant, repeated or contradictory operand.
pub(super) const PASS: Pass = Pass {
    name: "constant_folding",
    run: constant_folding,
};

fn constant_folding(net: &Propnet) -> Propnet {
    rebuild(net, |nodes, _, operands| match fold(operands) {
        Some(operands) => push_and(nodes, operands),
        None => Signal::FALSE,
    })
}

/// The operands that matter, sorted; none if they cannot all hold.
pub(super) fn fold(mut operands: Operands) -> Option<Operands> {
    operands.retain(|operand| *operand != Signal::TRUE);
    operands.sort_unstable();
    operands.dedup();
    let contradiction = operands.windows(2).any(|pair| pair[0] == !pair[1]);
    (!contradiction && !operands.contains(&Signal::FALSE)).then_some(operands)
}
