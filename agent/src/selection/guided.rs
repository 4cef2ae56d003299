//! First play guided by the playout policy.

use super::{FirstPlayUrgency, Frontier};
use crate::component::{Component, Slot};

/// The component.
pub const COMPONENT: Component = Component {
    name: "guided",
    slot: Slot::FirstPlay,
    summary: "untried moves come first, as without it, but the playout policy picks among them \
              instead of chance",
    source: "Finnsson 2012, Algorithm 2, first and last line",
    parameters: &[],
    build: |builder, _, _| builder.first_play(Guided),
};

/// Untried moves come first, and the playout policy picks among them.
#[derive(Debug, Clone, Copy)]
pub struct Guided;

impl FirstPlayUrgency for Guided {
    fn exploits(&mut self, _frontier: &Frontier) -> bool {
        false
    }
}
