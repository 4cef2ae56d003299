//! Resubstitution: luts computed from other values that exist anyway.
//!
//! Input: a circuit, its cover and which fluents exclude each other. Output: a cover with fewer
//! luts. Covering follows the structure of the circuit, but what a lut computes often has a simpler
//! form in terms of values that are not below it. So for each lut, a *window* of values near it is
//! looked at (`window`). If its value is a function of few of them (`divisors`), and reading these
//! saves more than it costs, it reads them instead, and what nothing reads any more is left out
//! (Mishchenko and Brayton, "Scalable logic synthesis using a simple circuit structure", 2006;
//! Mishchenko and others, "Scalable don't-care-based logic optimization and resynthesis", 2011).
//!
//! A lut reads nothing that is computed in a later phase than it is.

mod divisors;
mod network;
#[cfg(test)]
mod tests;
mod window;

use super::Arity;
use super::circuit::GateId;
use super::cover::{Cover, GateLut, LutCut};
use super::lower::Lowered;
use super::phase_sets::PhaseSets;
use crate::ground::BaseId;
use divisors::find_divisors;
use network::LutNetwork;
use window::Window;

/// The most windows that are looked at: in large nets, only those of the first luts.
const WINDOWS: usize = 20_000;

/// Replaces luts where that saves some. `exclude` tells which fluents never hold together.
pub(super) fn resubstitute(
    lowered: &mut Lowered,
    cover: &mut Cover,
    arity: Arity,
    exclude: impl Fn(BaseId, BaseId) -> bool,
) {
    let phases = PhaseSets::find(lowered, cover);
    let mut network = LutNetwork::new(lowered, cover);
    let gates: Vec<GateId> = network.luts().take(WINDOWS).collect();
    for gate in gates {
        if network.is_read(gate) && !phases.is_recursive(gate) {
            resubstitute_lut(&mut network, gate, &phases, arity, &exclude);
        }
    }
    network.finish(lowered, cover);
}

/// Makes a lut read other values if that saves operations, or inputs of operations.
fn resubstitute_lut(
    network: &mut LutNetwork,
    gate: GateId,
    phases: &PhaseSets,
    arity: Arity,
    exclude: &impl Fn(BaseId, BaseId) -> bool,
) {
    let freed = network.needed_only_by(gate);
    let Some(window) = Window::around(network, gate, &freed, phases, exclude) else {
        return;
    };
    let saved = network.cost(&freed, arity);
    let most = (1..=arity.inputs()).rfind(|&inputs| arity.cost(inputs) < saved);
    let pays_off = |reads: &[GateId]| {
        let kept = network.cost(&network.needed_among(&freed, reads), arity);
        kept + arity.cost(reads.len()) < saved
    };
    if let Some((reads, truth)) = find_divisors(&window, most.unwrap_or(0), pays_off) {
        let reads = LutCut::of(&reads);
        network.replace(gate, GateLut { reads, truth });
    }
}
