//! How much memory the graph takes, and whether it may grow.

use super::edge::{EdgeScore, MoveEdge};
use super::node::TreeNodeId;
use super::table::TableUsage;
use super::{SearchTree, TreeNode};

/// Maximum number of entries that one node adds to a table, except for nodes with
/// exceptionally many moves.
const RESERVE: usize = 1024;

impl SearchTree {
    /// The allocated size in bytes, and that of what is kept aside.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables = self.tables();
        let capacities = tables.iter().map(|table| table.capacity * table.entry);
        capacities.sum::<usize>() + self.aside
    }

    /// The size limit in bytes.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Counts this number of bytes, in place of the last one, for what is kept about states outside
    /// the graph.
    pub fn count_kept_aside(&mut self, bytes: usize) {
        self.aside = bytes;
    }

    /// Whether it is time to [make room](SearchTree::keep_reachable): entries take up more
    /// than half of the limit, or nothing can be added.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        let taken = self
            .tables()
            .iter()
            .map(|table| table.len * table.entry)
            .sum::<usize>();
        taken > self.limit / 2 || !self.has_room()
    }

    /// Whether nodes and moves may still be added: tables that are about to double must
    /// stay within the limit.
    #[must_use]
    pub fn has_room(&self) -> bool {
        let tables = self.tables();
        let growing = tables
            .iter()
            .filter(|table| table.len + RESERVE > table.capacity);
        let growth: usize = growing.map(|table| table.capacity * table.entry).sum();
        let room = self.bytes() + growth + RESERVE < self.limit
            && self.edges.len() < u32::MAX as usize / 2;
        room || self.nodes.len() < 2
    }

    /// The tables that take up memory.
    fn tables(&self) -> [TableUsage; 12] {
        const INDEX: usize = 2 * size_of::<usize>();
        const JOINT: usize = size_of::<(TreeNodeId, u64, TreeNodeId)>();
        let table = |len, capacity, entry| TableUsage {
            len,
            capacity,
            entry,
        };
        let [words, ends, hashes] = self.states.tables();
        [
            words,
            ends,
            hashes,
            table(
                self.nodes.len(),
                self.nodes.capacity(),
                size_of::<TreeNode>(),
            ),
            table(self.bounds.len(), self.bounds.capacity(), size_of::<u32>()),
            table(
                self.edges.len(),
                self.edges.capacity(),
                size_of::<MoveEdge>(),
            ),
            table(
                self.scores.len(),
                self.scores.capacity(),
                size_of::<EdgeScore>(),
            ),
            self.statistics.usage(),
            self.strategies.usage(),
            self.proof_numbers.usage(),
            self.joint_statistics.usage(self.roles),
            table(self.joints.len(), self.joints.capacity(), JOINT + INDEX),
        ]
    }
}
