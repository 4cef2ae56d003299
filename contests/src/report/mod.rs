//! Contests as text for people: as tables on a terminal ([`text`], [`cross_table`]); and
//! beside published values, as Markdown ([`published`]), with figures of how well they
//! agree ([`agreement`]), and as a plot ([`plot`]).

mod agent_grid;
pub mod agreement;
mod budget_column;
pub mod cross_table;
mod draws;
mod format;
mod furthest;
pub mod plot;
pub mod published;
pub mod text;

pub use format::percent;

use crate::summary::ContestSummary;

/// Several contests: cross tables, one line per contest, and how well they agree with
/// published values.
#[must_use]
pub fn overview(summaries: &[ContestSummary]) -> String {
    let agreement = agreement::text(summaries);
    let gap = if agreement.is_empty() { "" } else { "\n" };
    cross_table::tables(summaries) + &text::contests(summaries) + gap + &agreement
}
