//! What is drawn above a board.

use crate::layout::CellId;

/// Marks that are not part of a state.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// The cells of the last move.
    pub last_move: Vec<CellId>,
    /// Cells that stand out, such as those that can be clicked.
    pub highlights: Vec<CellId>,
    /// Arrows between cells.
    pub arrows: Vec<Arrow>,
}

/// An arrow from one cell to another of the same board; a ring if they are the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrow {
    /// Where it begins.
    pub from: CellId,
    /// Where it ends.
    pub to: CellId,
    /// Its weight, from 0 to 1: the stronger the more opaque.
    pub weight: f64,
}
