//! Figures and tables as text.

use crate::statistics::interval::half_width;
use comfy_table::{CellAlignment, Table, presets};

/// Stands for a figure that is not known.
pub(super) fn dash() -> String {
    "-".to_owned()
}

/// A score in per cent with half the width of its interval, all from 0 to 1; a dash if
/// they are not known.
#[must_use]
pub fn percent(score: Option<f64>, lower: Option<f64>, upper: Option<f64>) -> String {
    match (score, lower, upper) {
        (Some(score), Some(lower), Some(upper)) => {
            let half = half_width(score, lower, upper);
            format!("{:.1} ± {:.1} %", 100.0 * score, 100.0 * half)
        }
        _ => dash(),
    }
}

/// A table without borders: the first column is aligned to the left, all others to the
/// right.
pub(super) fn grid(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    rows.for_each(|row| {
        table.add_row(row);
    });
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}
