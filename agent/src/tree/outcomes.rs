//! Proven goal values of nodes and moves.

use super::edge::SolvedStatus;
use super::node::TreeNodeId;
use super::{OutcomeId, SearchTree};

impl SearchTree {
    /// The proven goal values of a node.
    #[inline]
    #[must_use]
    pub fn outcome(&self, node: TreeNodeId) -> Option<OutcomeId> {
        self.nodes[node.index()].outcome
    }

    /// The goal values of an outcome, one per role.
    #[must_use]
    pub fn goals(&self, outcome: OutcomeId) -> &[i32] {
        &self.outcomes[outcome.0.get() as usize - 1]
    }

    /// The outcome with these goal values, one per role; `None` if there are too many
    /// outcomes.
    pub fn outcome_of(&mut self, goals: &[i32]) -> Option<OutcomeId> {
        let index = match self.outcomes.get_index_of(goals) {
            Some(index) => index,
            None => self.outcomes.insert_full(goals.into()).0,
        };
        TreeNodeId::new(index).map(|number| OutcomeId(number.0))
    }

    /// Records that a node's goal values are proven.
    pub fn mark_solved(&mut self, node: TreeNodeId, outcome: OutcomeId) {
        self.nodes[node.index()].outcome = Some(outcome);
    }

    /// The best outcome for the role that decides at a node, of those that its moves are proven to
    /// lead to.
    #[inline]
    #[must_use]
    pub fn best_proven(&self, node: TreeNodeId) -> Option<OutcomeId> {
        self.nodes[node.index()].best_proven
    }

    /// Sets what [`best_proven`](Self::best_proven) returns.
    pub fn set_best_proven(&mut self, node: TreeNodeId, outcome: OutcomeId) {
        self.nodes[node.index()].best_proven = Some(outcome);
    }

    /// Records what is proven about an edge, and makes its average exact.
    pub fn mark_edge(&mut self, index: u32, status: SolvedStatus, value: i32) {
        let edge = &mut self.edges[index as usize];
        edge.status = status;
        edge.sum = f64::from(value) * f64::from(edge.visits);
        self.scores[index as usize].set_mean(edge);
    }
}
