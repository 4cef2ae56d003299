//! Merges gates with the same operands into one.

use super::Pass;
use crate::propnet::rebuild::{push_and, rebuild};
use crate::propnet::{Operands, Propnet, Signal};
use rustc_hash::FxHashMap;

/// Leaves no two gates with the same operands.
pub(super) const PASS: Pass = Pass {
    name: "structural_hashing",
    run: structural_hashing,
};

fn structural_hashing(net: &Propnet) -> Propnet {
    let mut known: FxHashMap<Operands, Signal> = FxHashMap::default();
    rebuild(net, |nodes, _, mut operands| {
        operands.sort_unstable();
        *known
            .entry(operands)
            .or_insert_with_key(|operands| push_and(nodes, operands.clone()))
    })
}
