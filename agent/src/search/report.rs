//! What a search did, in numbers.

use std::time::Duration;

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchReport {
    /// The number of finished simulations.
    pub simulations: u64,
    /// The number of those that left the tree and were played out in a lane.
    pub played: u64,
    /// The number of those that ended at a node whose value was known, so that they
    /// taught nothing new about the game.
    pub known: u64,
    /// The number of states that a learned evaluation valued.
    pub evaluations: u64,
    /// The number of finished batches, each a path through the tree that its
    /// simulations shared.
    pub batches: u64,
    /// The time taken.
    pub elapsed: Duration,
    /// The number of nodes in the tree.
    pub nodes: usize,
    /// The size of the tree in bytes.
    pub bytes: usize,
    /// The maximum number of moves that a simulation made inside the tree.
    pub deepest: usize,
    /// Moves made inside the tree, summed over all simulations.
    pub tree_steps: u64,
    /// Moves made outside the tree, summed over all simulations.
    pub playout_steps: u64,
    /// Steps of the machine, each a move in every occupied lane.
    pub steps: u64,
    /// Moves made in occupied lanes. All lanes together could have made `steps` times
    /// the number of lanes; the difference was idle.
    pub moves: u64,
}

impl SearchReport {
    /// The sum of two searches that ran at the same time.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            simulations: self.simulations + other.simulations,
            played: self.played + other.played,
            known: self.known + other.known,
            evaluations: self.evaluations + other.evaluations,
            batches: self.batches + other.batches,
            elapsed: self.elapsed.max(other.elapsed),
            nodes: self.nodes + other.nodes,
            bytes: self.bytes + other.bytes,
            deepest: self.deepest.max(other.deepest),
            tree_steps: self.tree_steps + other.tree_steps,
            playout_steps: self.playout_steps + other.playout_steps,
            steps: self.steps + other.steps,
            moves: self.moves + other.moves,
        }
    }
}
