//! Budgets as column titles.

use crate::summary::ContestSummary;
use std::collections::BTreeSet;

/// A budget as the title of a column: padded with blanks on the left, so that budgets
/// with fewer digits sort first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BudgetColumn(String);

impl BudgetColumn {
    /// The budget of a contest.
    pub(super) fn of(summary: &ContestSummary) -> Self {
        Self(format!(
            "{:>30}{}",
            summary.budget.to_string(),
            summary.idle
        ))
    }

    /// The budgets of contests, in order.
    pub(super) fn all(rows: &[&ContestSummary]) -> BTreeSet<Self> {
        rows.iter().map(|summary| Self::of(summary)).collect()
    }

    /// The title.
    pub(super) fn name(&self) -> &str {
        self.0.trim_start()
    }
}
