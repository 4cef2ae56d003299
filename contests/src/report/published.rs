//! Contests as tables of Markdown, beside published values.

use super::format::percent;
use crate::markdown::MarkdownTable;
use crate::summary::ContestSummary;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Explains the marks beside figures.
const LEGEND: &str = "\
In brackets games. = on the same side of one half as the published value, with the
interval; ≠ on the other side. † no game had a cutoff that applied, ‡ not all games.
";

/// How many published values were met at each budget, then one table per published
/// table, by title, and one for contests without a published value. Lines are sorted
/// by row and column.
#[must_use]
pub fn tables(summaries: &[ContestSummary]) -> String {
    let mut summaries: Vec<&ContestSummary> = summaries.iter().collect();
    summaries.sort_by_cached_key(|summary| sort_key(summary));
    let is_published = |summary: &&ContestSummary| summary.paper.is_some();
    let (compared, others): (Vec<_>, Vec<_>) = summaries.into_iter().partition(is_published);
    let mut texts = Vec::new();
    if !compared.is_empty() {
        texts.push(overview(&compared));
        texts.push(met(&compared));
        texts.push(LEGEND.to_owned());
    }
    for rows in compared.chunk_by(|one, other| title(one) == title(other)) {
        texts.push(comparison(rows));
    }
    if !others.is_empty() {
        texts.push(unpublished(&others));
    }
    texts.join("\n")
}

/// What lines are sorted by.
fn sort_key(summary: &ContestSummary) -> ([Option<String>; 3], String) {
    let paper = summary.paper.clone().unwrap_or_default();
    let rest = format!(
        "{} {:?} {}",
        summary.game,
        summary.names(),
        BudgetColumn::of(summary).0
    );
    ([paper.table, paper.row, paper.column], rest)
}

fn title(summary: &ContestSummary) -> Option<&str> {
    summary.paper.as_ref()?.table.as_deref()
}

/// A budget as the title of a column: padded with blanks on the left, so that budgets
/// with fewer digits sort first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct BudgetColumn(String);

impl BudgetColumn {
    fn of(summary: &ContestSummary) -> Self {
        Self(format!("{:>30}{}", summary.budget.to_string(), summary.idle))
    }

    fn all(rows: &[&ContestSummary]) -> BTreeSet<Self> {
        rows.iter().map(|summary| Self::of(summary)).collect()
    }

    fn name(&self) -> &str {
        self.0.trim_start()
    }
}

/// One line per budget: the number of cells on the same side of one half as the
/// published value, the number whose interval holds it, and the mean distance of our
/// figures from it.
fn overview(rows: &[&ContestSummary]) -> String {
    let mut table = MarkdownTable::new(
        1,
        [
            "budget",
            "cells",
            "same side",
            "other side",
            "open",
            "in the interval",
            "mean difference, points",
        ],
    );
    for budget in BudgetColumn::all(rows) {
        let here = rows
            .iter()
            .filter(|summary| BudgetColumn::of(summary) == budget)
            .filter_map(|summary| Some((summary.paper.as_ref()?.percent?, *summary)));
        let agreements = here.clone().map(|(theirs, ours)| agreement(ours, theirs));
        let agreements: Vec<PublishedAgreement> = agreements.collect();
        let count = |wanted| agreements.iter().filter(|&&found| found == wanted).count();
        let held = here.clone().filter(|&(theirs, ours)| holds(ours, theirs));
        let held = held.count();
        let differences: Vec<f64> = here
            .filter_map(|(theirs, ours)| Some((100.0 * ours.score? - theirs).abs()))
            .collect();
        let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
        table.row([
            budget.name().to_owned(),
            agreements.len().to_string(),
            count(PublishedAgreement::SameSide).to_string(),
            count(PublishedAgreement::OtherSide).to_string(),
            count(PublishedAgreement::Open).to_string(),
            held.to_string(),
            format!("{mean:.1}"),
        ]);
    }
    table.to_string()
}

/// Whether our interval holds a published value in per cent.
fn holds(ours: &ContestSummary, theirs: f64) -> bool {
    let bounds = ours.lower.zip(ours.upper);
    bounds.is_some_and(|(lower, upper)| (lower..=upper).contains(&(theirs / 100.0)))
}

/// For how many cells the interval at some budget holds the published value.
fn met(rows: &[&ContestSummary]) -> String {
    let cells = rows.chunk_by(|one, other| cell(one) == cell(other));
    let (mut met, mut all) = (0, 0);
    for cell in cells {
        let value = cell[0].paper.as_ref().and_then(|paper| paper.percent);
        let Some(theirs) = value else { continue };
        all += 1;
        met += u32::from(cell.iter().any(|ours| holds(ours, theirs)));
    }
    format!("In {met} of {all} cells the interval at some budget holds the published value.\n")
}

/// A published table: one line per cell, with one column per budget for our figures.
fn comparison(rows: &[&ContestSummary]) -> String {
    let budgets = BudgetColumn::all(rows);
    let heads = ["row", "column", "first", "against", "paper"];
    let heads = heads
        .into_iter()
        .chain(budgets.iter().map(BudgetColumn::name));
    let mut table = MarkdownTable::new(4, heads);
    for cell in rows.chunk_by(|one, other| cell(one) == cell(other)) {
        let figures = budgets.iter().map(|budget| {
            let here = cell
                .iter()
                .filter(|summary| BudgetColumn::of(summary) == *budget);
            here.map(|summary| figure(summary))
                .collect::<Vec<_>>()
                .join(", ")
        });
        table.row(row_heads(cell[0]).into_iter().chain(figures));
    }
    match title(rows[0]) {
        Some(title) => format!("### {title}\n\n{table}"),
        None => table.to_string(),
    }
}

/// What figures of one cell have in common.
fn cell(summary: &ContestSummary) -> (Option<&str>, [String; 5]) {
    (title(summary), row_heads(summary))
}

/// The first columns of a line of a published table.
fn row_heads(summary: &ContestSummary) -> [String; 5] {
    let paper = summary.paper.clone().unwrap_or_default();
    let [first, against] = opponents(summary);
    let value = paper
        .percent
        .map_or_else(|| "N/A".to_owned(), |value| format!("{value:.1} %"));
    [
        paper.row.unwrap_or_else(|| summary.game.clone()),
        paper.column.unwrap_or_default(),
        first,
        against,
        value,
    ]
}

/// The first agent, and all others.
fn opponents(summary: &ContestSummary) -> [String; 2] {
    let names = summary.names();
    let (first, others) = names.split_at(1.min(names.len()));
    [first.concat(), others.join(", ")]
}

/// Our figure, with its marks.
fn figure(summary: &ContestSummary) -> String {
    let paper = summary.paper.as_ref().and_then(|paper| paper.percent);
    let side = match paper.map(|percent| agreement(summary, percent)) {
        Some(PublishedAgreement::SameSide) => " =",
        Some(PublishedAgreement::OtherSide) => " **≠**",
        Some(PublishedAgreement::Open) | None => "",
    };
    let cuts = summary.agents.iter().filter_map(|agent| agent.cuts);
    let idle = match cuts.reduce(f64::min) {
        Some(0.0) => " †",
        Some(share) if share < 1.0 => " ‡",
        _ => "",
    };
    let ours = percent(summary.score, summary.lower, summary.upper);
    format!("{ours} ({}){side}{idle}", summary.games)
}

/// How our figure agrees with a published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PublishedAgreement {
    /// Both are on the same side of one half.
    SameSide,
    /// They are on different sides.
    OtherSide,
    /// Our interval holds one half.
    Open,
}

/// How our figure agrees with theirs in per cent.
fn agreement(ours: &ContestSummary, theirs: f64) -> PublishedAgreement {
    let theirs: Ordering = theirs.total_cmp(&50.0);
    match ours.compared_with_half() {
        None => PublishedAgreement::Open,
        Some(ours) if ours == theirs => PublishedAgreement::SameSide,
        Some(_) => PublishedAgreement::OtherSide,
    }
}

/// Contests without a published value, one line each.
fn unpublished(rows: &[&ContestSummary]) -> String {
    let heads = ["game", "first", "against", "budget", "ours", "games"];
    let mut table = MarkdownTable::new(4, heads);
    for summary in rows {
        let [first, against] = opponents(summary);
        table.row([
            summary.game.clone(),
            first,
            against,
            summary.terms(),
            percent(summary.score, summary.lower, summary.upper),
            summary.games.to_string(),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::PublishedValue;
    use crate::summary::tests::{line, stored};
    use expect_test::expect;

    /// The first agent wins all of ten games, or half of them.
    fn summary(half: bool, paper: Option<f64>, table: Option<&str>) -> ContestSummary {
        let goals = |game: u64| {
            if half || game.is_multiple_of(2) {
                [100, 0]
            } else {
                [0, 100]
            }
        };
        let paper = table.map(|table| PublishedValue {
            percent: paper,
            table: Some(table.to_owned()),
            row: Some("Hex".to_owned()),
            column: Some("MAST".to_owned()),
        });
        let games = (0..10).map(|game| line(game, &goals(game)));
        ContestSummary {
            paper,
            ..ContestSummary::new(&stored(games), u64::MAX)
        }
    }

    #[test]
    fn published_values_stand_beside_ours() {
        let summaries = [
            summary(false, Some(90.0), Some("One")),
            summary(false, None, Some("Two")),
            summary(false, Some(40.0), Some("One")),
            summary(true, Some(40.0), Some("One")),
            summary(true, Some(10.0), Some("One")),
            summary(true, None, None),
        ];
        expect![[r#"
            | budget | cells | same side | other side | open | in the interval | mean difference, points |
            |---|---:|---:|---:|---:|---:|---:|
            | 100 simulations | 4 | 1 | 1 | 2 | 2 | 30.0 |

            In 2 of 3 cells the interval at some budget holds the published value.

            In brackets games. = on the same side of one half as the published value, with the
            interval; ≠ on the other side. † no game had a cutoff that applied, ‡ not all games.

            ### One

            | row | column | first | against | paper | 100 simulations |
            |---|---|---|---|---:|---:|
            | Hex | MAST | uct | random | 90.0 % | 100.0 ± 27.8 % (10) = |
            | Hex | MAST | uct | random | 40.0 % | 100.0 ± 27.8 % (10) **≠**, 50.0 ± 32.7 % (10) |
            | Hex | MAST | uct | random | 10.0 % | 50.0 ± 32.7 % (10) |

            ### Two

            | row | column | first | against | paper | 100 simulations |
            |---|---|---|---|---:|---:|
            | Hex | MAST | uct | random | N/A | 100.0 ± 27.8 % (10) |

            | game | first | against | budget | ours | games |
            |---|---|---|---|---:|---:|
            | hex | uct | random | 100 simulations | 50.0 ± 32.7 % | 10 |
        "#]]
        .assert_eq(&tables(&summaries));
    }
}
