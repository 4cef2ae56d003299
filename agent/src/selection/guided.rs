//! Untried moves in the order that the playout policy suggests.

use super::{FirstPlayUrgency, Frontier};
use crate::component::{Component, Slot};

/// The part.
pub const COMPONENT: Component = Component {
    name: "guided",
    slot: Slot::FirstPlay,
    summary: "untried moves come first, as without it, but the playout policy picks among \
              them instead of chance",
    source: "Finnsson 2012, Algorithm 2, first and last line",
    parameters: &[],
    build: |builder, _, _| builder.first_play(Guided),
};

/// Untried moves first, the playout policy picking among them.
#[derive(Debug, Clone, Copy)]
pub struct Guided;

impl FirstPlayUrgency for Guided {
    fn exploits(&mut self, _frontier: &Frontier) -> bool {
        false
    }
}
