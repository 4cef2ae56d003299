//! Contests as text for people: as tables on a terminal ([`text`], [`cross_table`]) and
//! beside published values as Markdown ([`published`]).

pub mod cross_table;
mod format;
pub mod published;
pub mod text;

pub use format::percent;

use crate::summary::ContestSummary;

/// Several contests: cross tables, then one line per contest.
#[must_use]
pub fn overview(summaries: &[ContestSummary]) -> String {
    cross_table::tables(summaries) + &text::contests(summaries)
}
