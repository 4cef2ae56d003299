//! Makes one of all gates with the same operands.

use super::Pass;
use crate::net::rebuild::{push_and, rebuild};
use crate::net::{Net, Signal};
use rustc_hash::FxHashMap;

pub(super) const PASS: Pass = Pass {
    name: "share_nodes",
    ensures: "no two gates with the same operands",
    run: share_nodes,
};

fn share_nodes(net: &Net) -> Net {
    let mut known: FxHashMap<Vec<Signal>, Signal> = FxHashMap::default();
    rebuild(net, |nodes, _, mut operands| {
        operands.sort_unstable();
        *known
            .entry(operands)
            .or_insert_with_key(|operands| push_and(nodes, operands.clone()))
    })
}
