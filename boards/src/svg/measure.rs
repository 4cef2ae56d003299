//! Sizes in drawings.

/// The width of a cell, in pixels of the drawing.
pub(super) const UNIT: f64 = 48.0;

/// The height of a line of text, in pixels.
pub(super) const LINE: f64 = 18.0;
