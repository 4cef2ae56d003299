//! Growth of the tree: where a simulation leaves it, and what its new node is credited with.
//!
//! A simulation adds the first state outside the tree (Björnsson and Finnsson 2010, figure 1).
//! That leaves two things open. A state can already be known when the move into it is made for
//! the first time, since a state that is reached in several ways is one node. And the first
//! move of the playout is made in the new node itself.

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::search::growth::Growth;

/// The component.
///
/// The papers let selection last as long as states are in the tree, which with a transposition
/// table (one that is more effective than before, says the paper of 2010) is what `known`
/// does. They do not say whether their new node was credited with the move that the playout made
/// there: they update the part of the path inside the tree, from the new node back to the root.
///
/// Without the component, a simulation that makes a move of the tree for the first time begins
/// its playout there, in a known state too, and new nodes are credited with visits only.
pub const COMPONENT: Component = Component {
    name: "growth",
    slot: Slot::Growth,
    summary: "simulations leave the tree only in states that it does not know, not where the \
              move into a known one is made for the first time",
    source: "Björnsson and Finnsson 2010",
    parameters: &[
        Parameter {
            name: "known",
            meaning: "1: a simulation that reaches a known state goes on inside the tree; 0: it \
                      begins its playout there if it is the first to make that move",
            kind: ParameterKind::Number {
                default: 1.0,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "first",
            meaning: "1: a new node is credited with the first move of its playout, which the \
                      playout policy chooses; 0: it is not",
            kind: ParameterKind::Number {
                default: 0.0,
                range: 0.0..=1.0,
            },
        },
    ],
    build: |builder, values, _| {
        builder.settings.growth = Growth {
            passes_known: values.get(0) > 0.0,
            credits_first: values.get(1) > 0.0,
        };
    },
};
