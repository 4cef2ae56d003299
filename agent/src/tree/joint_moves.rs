//! Access to the statistics of joint moves and their parts.

use super::SearchTree;
use super::joint::{JointCell, UNCHOSEN};
use super::node::TreeNodeId;

impl SearchTree {
    /// The statistics of a part of a joint move: an edge of every role, [`UNCHOSEN`] for
    /// those that are not part of it. `None` if it was never tried.
    #[must_use]
    pub fn cell(&self, node: TreeNodeId, part: &[u32]) -> Option<&JointCell> {
        let number = self.partial_number(node, part)?;
        self.joint_statistics.get(node, number)
    }

    /// As [`cell`](Self::cell), to be changed; new if it was never tried, and `None` if
    /// there is no room for that.
    pub fn cell_mut(&mut self, node: TreeNodeId, part: &[u32]) -> Option<&mut JointCell> {
        let number = self.partial_number(node, part)?;
        if self.joint_statistics.get(node, number).is_none() && !self.has_room() {
            return None;
        }
        Some(self.joint_statistics.entry(node, number, self.roles))
    }

    /// Numbers the parts of joint moves of a node, where having not chosen counts as one
    /// more move of a role; `None` if there are more than 2^64.
    fn partial_number(&self, node: TreeNodeId, part: &[u32]) -> Option<u64> {
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
