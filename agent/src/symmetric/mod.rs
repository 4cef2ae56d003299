//! States that are images of each other under the symmetries of a game share a node.
//!
//! `group` lists the symmetries, and `canonical` finds the state that stands for all images
//! of a state.

pub mod canonical;
mod group;

use std::sync::Arc;

use gdl_runtime::engine::Engine;

use crate::component::{Component, Slot};
use canonical::CanonicalStates;

/// The component.
///
/// The symmetries are automorphisms of the game's propnet that keep the initial state, found by
/// the engine ([`Engine::automorphism_finder`]); with an engine that knows none, the component
/// has no effect. Only symmetries that keep every role in its place are
/// used: a state is then worth to each role what its images are worth to it. Where roles change
/// places, returns, proofs and the role that decides at a node would have to change with them.
///
/// Before a state is looked up in the tree, it is replaced by the one of its images that comes
/// first ([`CanonicalStates`]), and the search goes on from that, with its moves. A state that
/// is its own image under some symmetry has moves that are images of each other: one of
/// them gets the simulations of all, and the others are ruled out as proven to be no better, as
/// long as no other role has a choice. The moves at the root are given back as those of the
/// state that was asked for.
///
/// Successive states of a simulation may thus be images under different symmetries. What is
/// learned about moves regardless of the state, as by MAST, counts for a move and its images
/// together; selection rules that credit moves made later in a simulation, such as RAVE,
/// would credit the wrong ones, and search without symmetries.
pub const COMPONENT: Component = Component {
    name: "symmetric",
    slot: Slot::Transpositions,
    summary: "states that symmetries of the rules exchange share a node, and moves that they \
              exchange share simulations; not with rules that learn from later moves (rave and \
              its kind, knowledge), nor in games whose engine knows no symmetries",
    source: "Schiffel 2010",
    parameters: &[],
    build: |builder, _, game| {
        let finder = game.engine.and_then(Engine::automorphism_finder);
        let found = finder.and_then(|finder| CanonicalStates::under(&finder()));
        builder.settings.symmetries = found.map(Arc::new);
    },
};
