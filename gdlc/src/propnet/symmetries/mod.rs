//! Symmetries: exchanges of roles, fluents and moves that leave a game as it is.
//!
//! They are automorphisms of the propnet, found by individualisation and refinement
//! (McKay and Piperno, "Practical graph isomorphism, II", 2014): `elements` is what is exchanged,
//! `group` is what is found, `graph` is the propnet as a graph over the elements, `refinement`
//! tells apart elements that no symmetry exchanges, and `search` finds generators of the group.
//! Every generator is verified gate by gate, so what is found is correct whatever the colours say.
//! A symmetry may be missed if the rules write its two sides in different ways (Schiffel, "Symmetry
//! detection in general game playing", 2010, has the same limit), or if recursion hides it: the
//! places where cycles are cut are seldom symmetric.

mod elements;
mod graph;
mod group;
mod refinement;
mod search;
mod show;

pub use group::{Symmetry, SymmetryGroup};
pub use show::show_symmetries;

use super::Propnet;
use super::passes::run_passes;
use graph::SymmetryGraph;
use search::find_generators;

/// The maximum number of gates and operands that are looked at: this takes a few seconds.
const MOST_WORK: u64 = 1_000_000_000;

/// An assembled propnet after the passes that write equal conditions in the same way, but not
/// those that choose what conditions share: such choices are seldom symmetric.
#[must_use]
pub fn prepare(assembled: Propnet) -> Propnet {
    let without = ["factoring", "cube_extraction"].map(str::to_owned);
    run_passes(assembled, &without).0
}

impl SymmetryGroup {
    /// Finds the symmetries of a [prepared](prepare) propnet, within a budget of a few
    /// seconds.
    #[must_use]
    pub fn find(net: &Propnet) -> Self {
        Self::find_within(net, MOST_WORK)
    }

    /// The same, within this number of looks at gates and operands.
    #[must_use]
    pub fn find_within(net: &Propnet, most_work: u64) -> Self {
        find_generators(&SymmetryGraph::new(net), most_work)
    }
}
