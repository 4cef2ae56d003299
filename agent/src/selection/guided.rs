//! Untried moves in the order that the playout policy suggests.

use super::{Fringe, Frontier};
use crate::agents::{Part, Place};

/// The part.
pub const PART: Part = Part {
    name: "guided",
    place: Place::Fringe,
    summary: "untried moves come first, as without it, but the playout policy picks among \
              them instead of chance",
    source: "Finnsson 2012, Algorithm 2, first and last line",
    parameters: &[],
    build: |draft, _, _| draft.fringe(Guided),
};

/// Untried moves first, the playout policy picking among them.
#[derive(Debug, Clone, Copy)]
pub struct Guided;

impl Fringe for Guided {
    fn exploits(&mut self, _frontier: &Frontier) -> bool {
        false
    }
}
