//! What is drawn above a board.

use crate::layout::{CellId, StateLayout};
use crate::picture::Picture;

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
    /// Its weight, from 0 to 1: the greater, the more opaque.
    pub weight: f64,
}

impl Overlay {
    /// Marks the moves, given as KIF, that led from one picture to another: the cells that
    /// they name, or those that changed if they name none.
    #[must_use]
    pub fn of_moves(
        layout: &StateLayout,
        before: &Picture,
        after: &Picture,
        moves: &[String],
    ) -> Self {
        let named = moves.iter().flat_map(|mv| layout.cells_of_move(mv));
        let exact: Vec<CellId> = named.filter(|cells| cells.len() == 1).flatten().collect();
        Self {
            last_move: match exact.is_empty() {
                true => after.changed_cells(before),
                false => exact,
            },
            ..Self::default()
        }
    }

    /// Adds an arrow for each of these moves that names two cells or more.
    #[must_use]
    pub fn with_arrows(mut self, layout: &StateLayout, moves: &[String]) -> Self {
        let named = moves.iter().map(|mv| layout.cells_of_move(mv));
        self.arrows.extend(named.filter_map(|cells| arrow(&cells)));
        self
    }
}

/// The arrow from the first cell that a move names to the last.
fn arrow(cells: &[Vec<CellId>]) -> Option<Arrow> {
    let (from, to) = (cells.first()?, cells.last()?);
    let (&[from], &[to]) = (&from[..], &to[..]) else {
        return None;
    };
    let weight = 1.0;
    Some(Arrow { from, to, weight })
}
