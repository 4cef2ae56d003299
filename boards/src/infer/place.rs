//! Places: cells in columns and rows, and the boards that they make.

use crate::layout::{BoardLayout, Cell, Geometry};

/// A cell on its way to a position.
#[derive(Debug, Clone)]
pub(super) struct LatticePlace {
    pub(super) coordinates: Vec<String>,
    /// From the left.
    pub(super) column: usize,
    /// From the bottom.
    pub(super) row: usize,
}

impl LatticePlace {
    /// The same cell with columns and rows swapped.
    pub(super) fn transposed(&self) -> Self {
        Self {
            coordinates: self.coordinates.clone(),
            column: self.row,
            row: self.column,
        }
    }
}

/// Makes a board of places, whose positions are counted to the right and upwards.
pub(super) fn finish(
    name: String,
    geometry: Geometry,
    places: &[LatticePlace],
    at: impl Fn(&LatticePlace) -> (f64, f64),
) -> BoardLayout {
    // The rows of hexagons are closer to each other than the hexagons in a row.
    let height = match geometry {
        Geometry::Hexagons => 0.75_f64.sqrt(),
        Geometry::Squares | Geometry::Points => 1.0,
    };
    let left = places
        .iter()
        .map(|place| at(place).0)
        .fold(f64::INFINITY, f64::min);
    let top = places
        .iter()
        .map(|place| at(place).1)
        .fold(f64::NEG_INFINITY, f64::max);
    let range = |value: fn(&LatticePlace) -> usize| {
        let values = || places.iter().map(value);
        (values().min().unwrap_or(0), values().max().unwrap_or(0))
    };
    let (first, last) = range(|place| place.column);
    let (lowest, highest) = range(|place| place.row);
    let mut cells: Vec<Cell> = places
        .iter()
        .map(|place| Cell {
            coordinates: place.coordinates.clone(),
            x: rounded(at(place).0 - left),
            y: rounded((top - at(place).1) * height),
            column: (place.column - first) as u32,
            row: (highest - place.row) as u32,
            is_corner: false,
        })
        .collect();
    cells.sort_by_key(|cell| (cell.row, cell.column));
    BoardLayout {
        name,
        geometry,
        cells,
        columns: (last + 1 - first) as u32,
        rows: (highest + 1 - lowest) as u32,
        column_labels: Vec::new(),
        row_labels: Vec::new(),
        lines: Vec::new(),
        links_join_corners: false,
        pieces: Vec::new(),
    }
}

/// Positions are the same on every machine.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
