//! The cells that agree least with their published values.

use super::agreement::{BudgetAgreement, by_budget, compared};
use crate::markdown::MarkdownTable;
use crate::summary::ContestSummary;

/// The number of cells that are listed.
const CELLS: usize = 10;

/// The ten cells that are furthest from their published values, in standard errors of the
/// difference, on the budget whose figures correlate best with them; empty if there is none.
#[must_use]
pub fn markdown(summaries: &[ContestSummary]) -> String {
    let budgets = by_budget(summaries);
    let most = budgets.iter().map(|budget| budget.all.cells).max();
    let large = budgets
        .iter()
        .filter(|budget| Some(2 * budget.all.cells) >= most);
    let correlation = |budget: &BudgetAgreement| budget.all.correlation.unwrap_or(-1.0);
    let best = large.max_by(|one, other| correlation(one).total_cmp(&correlation(other)));
    let Some(best) = best else {
        return String::new();
    };
    let here = summaries
        .iter()
        .filter(|summary| (summary.budget, summary.idle) == (best.budget, best.idle));
    let mut cells: Vec<_> = here.filter_map(compared).collect();
    cells.sort_by(|(_, one), (_, other)| other.distance().total_cmp(&one.distance()));
    let heads = [
        "table",
        "row",
        "column",
        "paper",
        "ours",
        "difference",
        "standard errors",
    ];
    let mut table = MarkdownTable::new(3, heads);
    for ([title, row, column], score) in cells.into_iter().take(CELLS) {
        let figures = [
            format!("{:.1} %", score.theirs),
            format!("{:.1} %", score.ours),
            format!("{:+.1}", score.ours - score.theirs),
            format!("{:.1}", score.distance()),
        ];
        table.row([title, row, column].into_iter().chain(figures));
    }
    let conditions = format!("{}{}", best.budget, best.idle);
    format!("The cells furthest from their published values, at {conditions} a move:\n\n{table}")
}
