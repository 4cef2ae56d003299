//! How many games were drawn, beside what published intervals imply.

use super::budget_column::BudgetColumn;
use crate::markdown::MarkdownTable;
use crate::summary::ContestSummary;
use std::collections::{BTreeMap, BTreeSet};

/// The mean share of drawn games of each row of published tables, in per cent: as the
/// published intervals imply, and at each budget. Empty if no interval was published.
#[must_use]
pub fn markdown(summaries: &[ContestSummary]) -> String {
    let mut published: BTreeMap<&str, BTreeMap<[&str; 2], f64>> = BTreeMap::new();
    let mut ours: BTreeMap<(&str, BudgetColumn), Vec<f64>> = BTreeMap::new();
    for summary in summaries.iter().filter(|summary| summary.encounters > 0) {
        let Some(paper) = &summary.paper else {
            continue;
        };
        let Some((row, draws)) = paper.row.as_deref().zip(paper.draws()) else {
            continue;
        };
        let cell = [&paper.table, &paper.column].map(|part| part.as_deref().unwrap_or_default());
        published.entry(row).or_default().insert(cell, draws);
        let share = summary.draws as f64 / summary.encounters as f64;
        ours.entry((row, BudgetColumn::of(summary)))
            .or_default()
            .push(share);
    }
    let budgets: BTreeSet<&BudgetColumn> = ours.keys().map(|(_, budget)| budget).collect();
    if published.is_empty() {
        return String::new();
    }
    let heads = ["row", "papers"]
        .into_iter()
        .chain(budgets.iter().map(|budget| budget.name()));
    let mut table = MarkdownTable::new(1, heads);
    for (row, cells) in &published {
        let papers = mean(&cells.values().copied().collect::<Vec<f64>>());
        let figures = budgets.iter().map(|&budget| {
            let shares = ours.get(&(*row, budget.clone()));
            shares.map_or_else(String::new, |shares| mean(shares))
        });
        table.row([(*row).to_owned(), papers].into_iter().chain(figures));
    }
    table.to_string()
}

/// The mean of shares, in per cent.
fn mean(shares: &[f64]) -> String {
    let sum: f64 = shares.iter().sum();
    format!("{:.0}", 100.0 * sum / shares.len().max(1) as f64)
}
