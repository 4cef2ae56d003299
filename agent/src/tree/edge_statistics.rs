//! Numbers that components keep for every edge.

use std::ops::Range;

use super::table::{TableUsage, give_back};

/// A number of statistics for each edge, in the order of the edges.
#[derive(Debug, Default)]
pub(super) struct EdgeStatistics {
    each: usize,
    values: Vec<f32>,
}

impl EdgeStatistics {
    /// With this number of statistics for each edge.
    pub(super) fn new(each: usize) -> Self {
        Self {
            each,
            values: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
    }

    /// Brings the number of edges up to date; new statistics are 0.
    pub(super) fn resize(&mut self, edges: usize) {
        self.values.resize(edges * self.each, 0.0);
    }

    /// The statistics of a range of edges.
    #[inline]
    pub(super) fn of(&self, edges: Range<usize>) -> &[f32] {
        &self.values[edges.start * self.each..edges.end * self.each]
    }

    /// The statistics of a range of edges, to be changed.
    pub(super) fn of_mut(&mut self, edges: Range<usize>) -> &mut [f32] {
        &mut self.values[edges.start * self.each..edges.end * self.each]
    }

    /// Copies the statistics of a range of edges to those that begin at `to`.
    pub(super) fn shift(&mut self, edges: Range<usize>, to: usize) {
        let values = edges.start * self.each..edges.end * self.each;
        self.values.copy_within(values, to * self.each);
    }

    pub(super) fn truncate(&mut self, edges: usize) {
        self.values.truncate(edges * self.each);
    }

    pub(super) fn give_back(&mut self) {
        give_back(&mut self.values);
    }

    pub(super) fn usage(&self) -> TableUsage {
        TableUsage {
            len: self.values.len(),
            capacity: self.values.capacity(),
            entry: size_of::<f32>(),
        }
    }
}
