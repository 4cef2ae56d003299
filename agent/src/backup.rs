//! How the end of a simulation is credited to the nodes it came through.

use crate::agents::{Parameter, Part, Place};
use crate::flight::Path;
use crate::tree::Tree;

/// The part.
pub const DISCOUNT: Part = Part {
    name: "discount",
    place: Place::Backup,
    summary: "a goal value loses a part of its worth with every move until the end, so \
              that early success and late failure are preferred",
    source: "Finnsson and Björnsson 2008",
    parameters: &[Parameter {
        name: "gamma",
        meaning: "what remains of a goal value a move",
        default: 0.999,
        range: 0.0..=1.0,
    }],
    build: |draft, values, _| draft.backup.discount = values.get(0),
};

/// Averages of goal values, optionally discounted.
#[derive(Debug, Clone, Copy)]
pub struct Backup {
    /// What a goal value loses a step: a node `k` moves before the end is
    /// credited goal · discount^k. 1 keeps values as they are; slightly less
    /// makes the agent prefer early success and late failure.
    pub discount: f64,
}

impl Default for Backup {
    fn default() -> Self {
        Self { discount: 1.0 }
    }
}

impl Backup {
    /// What a goal value is worth so many moves before the end.
    pub(crate) fn worth(self, moves: u64) -> f64 {
        if self.discount == 1.0 {
            1.0
        } else {
            self.discount.powf(moves as f64)
        }
    }

    /// Credits every step of a path with the simulations that went along it:
    /// for every role the sum of its returns, worth what they are at the
    /// path's end.
    pub(crate) fn apply(self, tree: &mut Tree, path: &Path, simulations: u32, returns: &mut [f64]) {
        for (node, joint) in path.steps().rev() {
            if self.discount != 1.0 {
                returns.iter_mut().for_each(|sum| *sum *= self.discount);
            }
            tree.credit(node, joint, simulations, returns);
        }
        if let Some(leaf) = path.leaf() {
            tree.count_visits(leaf, simulations);
        }
    }
}
