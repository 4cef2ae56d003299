//! Statistics of joint moves, and of parts of them: what some of the roles have chosen.
//!
//! Only rules for simultaneous moves keep them, and only of what was tried.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::SearchTree;
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

/// The cells of all nodes, by node and [number](SearchTree::part_number).
#[derive(Debug, Default)]
pub(super) struct JointStatistics {
    cells: IndexMap<(TreeNodeId, u64), JointCell, FxBuildHasher>,
}

impl JointStatistics {
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

impl SearchTree {
    /// The statistics of a part of a joint move: an edge of every role, [`UNCHOSEN`] for
    /// those that are not part of it. `None` if it was never tried.
    #[must_use]
    pub fn cell(&self, node: TreeNodeId, part: &[u32]) -> Option<&JointCell> {
        let number = self.part_number(node, part)?;
        self.joint_statistics.cells.get(&(node, number))
    }

    /// As [`cell`](Self::cell), to be changed; new if it was never tried, and `None` if
    /// there is no room for that.
    pub fn cell_mut(&mut self, node: TreeNodeId, part: &[u32]) -> Option<&mut JointCell> {
        let key = (node, self.part_number(node, part)?);
        if !self.joint_statistics.cells.contains_key(&key) && !self.has_room() {
            return None;
        }
        let cell = self.joint_statistics.cells.entry(key);
        Some(cell.or_insert_with(|| JointCell::new(self.roles)))
    }

    /// Numbers the parts of joint moves of a node, where having not chosen counts as one
    /// more move of a role; `None` if there are more than 2^64.
    fn part_number(&self, node: TreeNodeId, part: &[u32]) -> Option<u64> {
        part.iter()
            .enumerate()
            .try_fold(0_u64, |number, (role, &edge)| {
                let span = self.span(node, role);
                let digit = match edge {
                    UNCHOSEN => span.len(),
                    edge => edge as usize - span.start,
                };
                number
                    .checked_mul(span.len() as u64 + 1)?
                    .checked_add(digit as u64)
            })
    }
}
