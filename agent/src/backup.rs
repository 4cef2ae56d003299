//! How results are credited to the nodes on the path of a simulation.

use crate::closed;
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::tree::SearchTree;
use crate::tree::path::SearchPath;

/// The component.
pub const DISCOUNT: Component = Component {
    name: "discount",
    slot: Slot::Backup,
    summary: "goal values shrink with every move until the end, so that early success and \
              late failure are preferred",
    source: "Finnsson and Björnsson 2008",
    parameters: &[Parameter {
        name: "gamma",
        meaning: "what remains of a goal value per move",
        kind: ParameterKind::Number {
            default: 0.999,
            range: 0.0..=1.0,
        },
    }],
    build: |builder, values, _| builder.settings.discount *= values.get(0),
};

/// Credits average returns: goal values, optionally discounted.
#[derive(Debug, Clone, Copy)]
pub struct Backup {
    discount: f64,
    /// Whether proven values count, see [`closed`].
    closes: bool,
}

impl Backup {
    /// With a factor per move: a node `k` moves before the end is credited
    /// goal · discount^k. 1 keeps goal values as they are; slightly less makes the
    /// agent prefer early success and late failure.
    #[must_use]
    pub fn new(discount: f64) -> Self {
        Self {
            discount,
            closes: false,
        }
    }

    /// The same with proven values entering the returns, see [`closed`].
    #[must_use]
    pub fn closing(self, closes: bool) -> Self {
        Self { closes, ..self }
    }

    /// The factor per move.
    pub(crate) fn discount(self) -> f64 {
        self.discount
    }

    /// The factor of a goal value this many moves before the end.
    pub(crate) fn factor(self, moves: u64) -> f64 {
        if self.discount == 1.0 {
            1.0
        } else {
            self.discount.powf(moves as f64)
        }
    }

    /// Credits every step of a path with the simulations that took it. `returns` is
    /// the sum of their returns for each role, as of the path's end.
    pub(crate) fn apply(
        self,
        tree: &mut SearchTree,
        path: &SearchPath,
        simulations: u32,
        returns: &mut [f64],
    ) {
        for (node, joint) in path.steps().rev() {
            if self.discount != 1.0 {
                returns.iter_mut().for_each(|sum| *sum *= self.discount);
            }
            tree.credit(node, joint, simulations, returns);
            if self.closes {
                closed::enter_proven(tree, node, joint, simulations, returns);
            }
        }
        if let Some(leaf) = path.leaf() {
            tree.count_visits(leaf, simulations);
        }
    }
}
