//! Where the boards of a picture are.

use super::measure::UNIT;
use crate::layout::{BoardLayout, Geometry, StateLayout};

/// The margin around a board, for labels and names, in widths of a cell.
const MARGIN: f64 = 0.6;

/// The width beyond which boards go to the next row, in widths of a cell.
const WIDEST: f64 = 22.0;

/// The positions of the boards of a layout, in pixels.
pub(super) struct Arrangement {
    /// The upper left corner of the cells' positions.
    origins: Vec<(f64, f64)>,
    size: (f64, f64),
}

impl Arrangement {
    /// Puts boards beside each other, and below where they are too wide.
    pub(super) fn of(layout: &StateLayout) -> Self {
        let sizes: Vec<(f64, f64)> = layout.boards.iter().map(size).collect();
        let widest = sizes.iter().map(|size| size.0).fold(WIDEST, f64::max);
        let (mut x, mut y, mut bottom, mut right) = (0.0, 0.0, 0.0_f64, 0.0_f64);
        let mut origins = Vec::new();
        for (width, height) in sizes {
            if x > 0.0 && x + width > widest {
                (x, y) = (0.0, bottom);
            }
            origins.push(((x + MARGIN + 0.5) * UNIT, (y + MARGIN + 0.5) * UNIT));
            x += width;
            right = right.max(x);
            bottom = bottom.max(y + height);
        }
        Self {
            origins,
            size: (right * UNIT, bottom * UNIT),
        }
    }

    pub(super) fn origin(&self, board: usize) -> (f64, f64) {
        self.origins[board]
    }

    pub(super) const fn size(&self) -> (f64, f64) {
        self.size
    }
}

/// The size of a board with its margins, in widths of a cell.
fn size(board: &BoardLayout) -> (f64, f64) {
    let right = board.cells.iter().map(|cell| cell.x).fold(0.0, f64::max);
    let bottom = board.cells.iter().map(|cell| cell.y).fold(0.0, f64::max);
    let pointed = match board.geometry {
        Geometry::Hexagons => 0.16,
        Geometry::Squares | Geometry::Points => 0.0,
    };
    (
        right + 1.0 + 2.0 * MARGIN,
        bottom + 1.0 + 2.0 * MARGIN + pointed,
    )
}
