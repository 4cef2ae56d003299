//! Events about the tree of a search.

use serde::Serialize;

use super::move_text::ValuedMove;

/// The way from the state that is shown to a node: for every round, one joint move, given by the
/// index of each role's move in the list of its legal moves.
pub type TreePath = Vec<Vec<usize>>;

/// The open nodes of the tree of an analysis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeEvent {
    /// The number of rounds before the state that is shown.
    pub round: usize,
    /// The index of the agent that analyses.
    pub index: usize,
    /// The nodes, in the order in which the page named them.
    pub nodes: Vec<OpenNode>,
}

/// An open node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenNode {
    /// The way to it.
    pub path: TreePath,
    /// The roles that have a choice, with their moves.
    pub roles: Vec<RoleMoves>,
    /// The highest goal value of every role if the game is over; empty otherwise.
    pub goals: Vec<i32>,
}

/// What a search knows of a role's moves in a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleMoves {
    /// The role.
    pub role: usize,
    /// The number of its legal moves.
    pub legal: usize,
    /// Those that were searched, the best known first, then by visits; at most 30.
    pub moves: Vec<ValuedMove>,
}
