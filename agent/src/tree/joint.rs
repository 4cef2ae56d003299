//! Statistics of joint moves, and of parts of them: what some of the roles have chosen.
//!
//! Only rules for simultaneous moves keep them, and only of what was tried.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::node::TreeNodeId;
use super::table::TableUsage;

/// Stands for the edge of a role that has not chosen, in a part of a joint move.
pub const UNCHOSEN: u32 = u32::MAX;

/// Statistics of a joint move, or of all that have a part in common.
#[derive(Debug, Clone, PartialEq)]
pub struct JointCell {
    /// Simulations, those in flight included.
    pub tries: u32,
    /// Finished simulations.
    pub visits: u32,
    /// The average return of each role; 0 if no simulation has finished.
    pub means: Box<[f64]>,
}

impl JointCell {
    fn new(roles: usize) -> Self {
        Self {
            tries: 0,
            visits: 0,
            means: vec![0.0; roles].into(),
        }
    }

    /// Counts finished simulations with these average returns.
    pub fn credit(&mut self, simulations: u32, means: &[f64]) {
        self.visits = self.visits.saturating_add(simulations);
        let share = f64::from(simulations) / f64::from(self.visits);
        for (own, mean) in self.means.iter_mut().zip(means) {
            *own += (mean - *own) * share;
        }
    }
}

/// The cells of all nodes, by node and number of the part.
#[derive(Debug, Default)]
pub(super) struct JointStatistics {
    cells: IndexMap<(TreeNodeId, u64), JointCell, FxBuildHasher>,
}

impl JointStatistics {
    pub(super) fn get(&self, node: TreeNodeId, part: u64) -> Option<&JointCell> {
        self.cells.get(&(node, part))
    }

    /// A cell, to be changed; it is added if there is none.
    pub(super) fn entry(&mut self, node: TreeNodeId, part: u64, roles: usize) -> &mut JointCell {
        let cell = self.cells.entry((node, part));
        cell.or_insert_with(|| JointCell::new(roles))
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    /// Keeps the cells of kept nodes, under their new numbers.
    pub(super) fn pack(&mut self, numbers: &[Option<TreeNodeId>]) {
        let cells = std::mem::take(&mut self.cells).into_iter();
        let renumbered =
            cells.filter_map(|((node, part), cell)| Some(((numbers[node.index()]?, part), cell)));
        self.cells = renumbered.collect();
    }

    pub(super) fn usage(&self, roles: usize) -> TableUsage {
        const ENTRY: usize = size_of::<((TreeNodeId, u64), JointCell)>() + 2 * size_of::<usize>();
        TableUsage {
            len: self.cells.len(),
            capacity: self.cells.capacity(),
            entry: ENTRY + roles * size_of::<f64>(),
        }
    }
}
