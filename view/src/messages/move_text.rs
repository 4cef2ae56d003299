//! Moves for pages.

use serde::Serialize;

/// A move for a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveText {
    /// The move as KIF.
    pub text: String,
    /// The cells that it names, in order, as `BOARD.CELL` with the attributes of cells in the
    /// picture. Each entry is one name: usually a single cell, but all cells of a column where
    /// the move names no more than the column.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Vec<String>>,
}

/// A move and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValuedMove {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveText,
    /// Its index in the list of legal moves.
    pub index: usize,
    /// Simulations that began with it.
    pub visits: u32,
    /// Their share of all simulations, 0 to 1.
    pub share: f64,
    /// Its value for the role, 0 to 100.
    pub value: f64,
    /// Whether the value is proven.
    pub proven: bool,
}
