//! How well contests agree with published values, budget by budget.

use super::budget_column::BudgetColumn;
use super::format::{dash, grid};
use crate::budget::MoveBudget;
use crate::idle_search::IdleSearch;
use crate::markdown::MarkdownTable;
use crate::statistics::agreement::{Agreement, ComparedScore};
use crate::summary::ContestSummary;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The agreement of all contests on one budget with the values published for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BudgetAgreement {
    /// What a move might cost.
    pub budget: MoveBudget,
    /// What players searched while they had nothing to decide.
    #[serde(skip_serializing_if = "IdleSearch::is_none")]
    pub idle: IdleSearch,
    /// Over all cells that were played on this budget.
    #[serde(flatten)]
    pub all: Agreement,
    /// Over the cells that all budgets with at least half as many cells as the most have in
    /// common; absent for other budgets, or if this is the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common: Option<Agreement>,
}

/// A cell of a published table: table, row and column.
type ComparedCell = [String; 3];

/// The cells of one budget.
struct BudgetCells {
    budget: MoveBudget,
    idle: IdleSearch,
    cells: BTreeMap<ComparedCell, ComparedScore>,
}

/// The agreement at each budget, in order; of several contests on one cell and budget the
/// last counts. Empty if no contest has a published value.
#[must_use]
pub fn by_budget(summaries: &[ContestSummary]) -> Vec<BudgetAgreement> {
    let budgets = collect(summaries);
    let most = budgets.iter().map(|budget| budget.cells.len()).max();
    let is_large = |budget: &&BudgetCells| 2 * budget.cells.len() >= most.unwrap_or(0);
    let large: Vec<&BudgetCells> = budgets.iter().filter(is_large).collect();
    let keys = large
        .iter()
        .map(|budget| budget.cells.keys().collect::<BTreeSet<&ComparedCell>>());
    let common = keys.reduce(|one, other| &one & &other).unwrap_or_default();
    let agreement = |budget: &BudgetCells| {
        let shared: Vec<ComparedScore> = common
            .iter()
            .filter_map(|&cell| budget.cells.get(cell).copied())
            .collect();
        let is_compared = large.len() > 1 && is_large(&budget);
        let all: Vec<ComparedScore> = budget.cells.values().copied().collect();
        Some(BudgetAgreement {
            budget: budget.budget,
            idle: budget.idle,
            all: Agreement::of(&all)?,
            common: is_compared.then(|| Agreement::of(&shared)).flatten(),
        })
    };
    budgets.iter().filter_map(agreement).collect()
}

fn collect(summaries: &[ContestSummary]) -> Vec<BudgetCells> {
    let mut budgets: BTreeMap<BudgetColumn, BudgetCells> = BTreeMap::new();
    for summary in summaries {
        if let Some((cell, score)) = compared(summary) {
            let budget = budgets.entry(BudgetColumn::of(summary));
            let budget = budget.or_insert_with(|| BudgetCells {
                budget: summary.budget,
                idle: summary.idle,
                cells: BTreeMap::new(),
            });
            budget.cells.insert(cell, score);
        }
    }
    budgets.into_values().collect()
}

/// A contest's score beside the published one; `None` if there is none.
#[must_use]
pub(super) fn compared(summary: &ContestSummary) -> Option<(ComparedCell, ComparedScore)> {
    let paper = summary.paper.as_ref()?;
    let score = ComparedScore {
        ours: 100.0 * summary.score?,
        error: 100.0 * summary.standard_error()?,
        theirs: paper.percent?,
        their_error: paper.standard_error(),
    };
    let name = |part: &Option<String>| part.clone().unwrap_or_default();
    Some((
        [name(&paper.table), name(&paper.row), name(&paper.column)],
        score,
    ))
}

const HEADS: [&str; 9] = [
    "budget",
    "cells",
    "correlation",
    "of a repetition",
    "mean difference",
    "of a repetition",
    "of 50 %",
    "within intervals",
    "50 % within",
];

/// The heads of the columns and a line for each budget.
fn rows(agreements: &[BudgetAgreement]) -> Vec<[String; 9]> {
    let row = |agreement: &BudgetAgreement, figures: &Agreement| {
        let conditions = format!("{}{}", agreement.budget, agreement.idle);
        let coefficient =
            |value: Option<f64>| value.map_or_else(dash, |value| format!("{value:.2}"));
        [
            conditions,
            figures.cells.to_string(),
            coefficient(figures.correlation),
            coefficient(figures.expected_correlation),
            format!("{:.1}", figures.mean_difference),
            format!("{:.1}", figures.expected_difference),
            format!("{:.1}", figures.mean_difference_of_half),
            figures.within.to_string(),
            figures.half_within.to_string(),
        ]
    };
    let all = agreements
        .iter()
        .map(|agreement| row(agreement, &agreement.all));
    let common = agreements.iter().filter_map(|agreement| {
        let mut row = row(agreement, agreement.common.as_ref()?);
        row[0].push_str(", common cells");
        Some(row)
    });
    all.chain(common).collect()
}

/// The agreement at each budget for a terminal; empty if there is none.
#[must_use]
pub fn text(summaries: &[ContestSummary]) -> String {
    let rows = rows(&by_budget(summaries));
    match rows.is_empty() {
        true => String::new(),
        false => grid(&HEADS.map(str::to_owned), rows.into_iter().map(Vec::from)) + "\n",
    }
}

/// The agreement at each budget as a table of Markdown; empty if there is none.
#[must_use]
pub fn markdown(summaries: &[ContestSummary]) -> String {
    let rows = rows(&by_budget(summaries));
    if rows.is_empty() {
        return String::new();
    }
    let mut table = MarkdownTable::new(1, HEADS);
    rows.into_iter().for_each(|row| table.row(row));
    table.to_string()
}

/// The agreement at each budget for programs: one line of JSON per budget.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn lines(summaries: &[ContestSummary]) -> serde_json::Result<String> {
    let line = |agreement| serde_json::to_string(agreement).map(|line| line + "\n");
    by_budget(summaries).iter().map(line).collect()
}
