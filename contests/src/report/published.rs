//! Contests as Markdown tables, beside published values.

use super::budget_column::BudgetColumn;
use super::format::percent;
use super::{agent_grid, agreement, draws, furthest};
use crate::markdown::MarkdownTable;
use crate::summary::ContestSummary;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Explains the table of agreement.
const AGREEMENT_LEGEND: &str = "\
Differences are absolute, in points of a per cent. *Of a repetition*: what is to be expected
if the true scores were the same, since there are errors on both sides. *Of 50 %*, *50 %
within*: the same of a prediction of 50 % for every cell. *Within intervals*: cells whose
difference is within 1.96 of its standard errors, the published intervals included. *Common
cells*: those that all budgets with at least half as many cells as the most have.
";

/// Explains the table of draws.
const DRAWS_LEGEND: &str = "\
Drawn games, in per cent, means of the cells of a row. Those of the papers follow from their
intervals: p(1 − p) − d/4 is the variance of a score p with a share of d draws.
";

/// Explains the marks beside figures.
const LEGEND: &str = "\
In brackets games. = on the same side of one half as the published value, with the
interval; ≠ on the other side. † no game had a cutoff that applied, ‡ not all games.
";

/// How well our figures agree with published ones at each budget, and how many games were
/// drawn; then one table per table, by title, as a grid of agents and games if it has no
/// published values; and one for contests without a table. Lines are sorted by row and column.
#[must_use]
pub fn tables(summaries: &[ContestSummary]) -> String {
    let all = summaries;
    let mut summaries: Vec<&ContestSummary> = summaries.iter().collect();
    summaries.sort_by_cached_key(|summary| sort_key(summary));
    let is_published = |summary: &&ContestSummary| summary.paper.is_some();
    let (compared, others): (Vec<_>, Vec<_>) = summaries.into_iter().partition(is_published);
    let mut texts = Vec::new();
    let parts = [
        (agreement::markdown(all), Some(AGREEMENT_LEGEND)),
        (draws::markdown(all), Some(DRAWS_LEGEND)),
        (furthest::markdown(all), None),
    ];
    for (table, legend) in parts.into_iter().filter(|(table, _)| !table.is_empty()) {
        texts.push(table);
        texts.extend(legend.map(str::to_owned));
    }
    if compared.iter().any(|summary| percent_of(summary).is_some()) {
        texts.push(LEGEND.to_owned());
    }
    for rows in compared.chunk_by(|one, other| title(one) == title(other)) {
        let table = match rows.iter().any(|summary| percent_of(summary).is_some()) {
            true => comparison(rows),
            false => agent_grid::markdown(rows),
        };
        texts.push(match title(rows[0]) {
            Some(title) => format!("### {title}\n\n{table}"),
            None => table,
        });
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
        BudgetColumn::of(summary).name()
    );
    ([paper.table, paper.row, paper.column], rest)
}

fn title(summary: &ContestSummary) -> Option<&str> {
    summary.paper.as_ref()?.table.as_deref()
}

/// A published table: one line per cell, with one column per budget for our figures, and
/// the means of columns whose mean was published.
fn comparison(rows: &[&ContestSummary]) -> String {
    let budgets = BudgetColumn::all(rows);
    let heads = ["row", "column", "first", "against", "paper"];
    let heads = heads.into_iter();
    let heads = heads.chain(budgets.iter().map(BudgetColumn::name));
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
        let heads = row_heads(cell[0]).into_iter();
        table.row(heads.chain([published(cell[0])]).chain(figures));
    }
    overall(rows, &budgets)
        .into_iter()
        .for_each(|row| table.row(row));
    table.to_string()
}

/// What figures of one cell have in common.
fn cell(summary: &ContestSummary) -> (Option<&str>, [String; 4]) {
    (title(summary), row_heads(summary))
}

/// The first columns of a line of a published table.
fn row_heads(summary: &ContestSummary) -> [String; 4] {
    let paper = summary.paper.clone().unwrap_or_default();
    let [first, against] = opponents(summary);
    [
        paper.row.unwrap_or_else(|| summary.game.clone()),
        paper.column.unwrap_or_default(),
        first,
        against,
    ]
}

/// The published value of a contest, in per cent.
fn percent_of(summary: &ContestSummary) -> Option<f64> {
    summary.paper.as_ref()?.percent
}

/// The published value of a contest with its interval.
fn published(summary: &ContestSummary) -> String {
    let interval = summary.paper.as_ref().and_then(|paper| paper.interval);
    match (percent_of(summary), interval) {
        (Some(value), Some(half)) => format!("{value:.1} ± {half:.1} %"),
        (Some(value), None) => format!("{value:.1} %"),
        (None, _) => "N/A".to_owned(),
    }
}

/// The means of all columns whose mean was published: a line each. At a budget at which not
/// all of its cells were played, it has no mean.
fn overall(rows: &[&ContestSummary], budgets: &BTreeSet<BudgetColumn>) -> Vec<Vec<String>> {
    let mut columns: BTreeMap<&str, (f64, Vec<&ContestSummary>)> = BTreeMap::new();
    for summary in rows {
        let Some(paper) = &summary.paper else {
            continue;
        };
        if let (Some(column), Some(mean), Some(_)) = (&paper.column, paper.overall, paper.percent) {
            let (_, cells) = columns.entry(column).or_insert((mean, Vec::new()));
            cells.push(summary);
        }
    }
    let line = |(column, (theirs, cells)): (&str, (f64, Vec<&ContestSummary>))| {
        let names: BTreeSet<_> = cells.iter().map(|summary| row_name(summary)).collect();
        let figures = budgets.iter().map(|budget| {
            let here = cells
                .iter()
                .filter(|summary| BudgetColumn::of(summary) == *budget);
            let scores = here.filter_map(|summary| Some((row_name(summary), summary.score?)));
            let scores: BTreeMap<_, f64> = scores.collect();
            match scores.len() == names.len() {
                true => format!(
                    "{:.1} %",
                    100.0 * scores.values().sum::<f64>() / names.len() as f64
                ),
                false => String::new(),
            }
        });
        let heads = ["**Overall**", column, "", ""].map(str::to_owned);
        let heads = heads.into_iter().chain([format!("{theirs:.1} %")]);
        heads.chain(figures).collect()
    };
    columns.into_iter().map(line).collect()
}

/// The row of a contest in its published table.
fn row_name(summary: &ContestSummary) -> Option<&str> {
    summary.paper.as_ref()?.row.as_deref()
}

/// The first agent, and all others.
fn opponents(summary: &ContestSummary) -> [String; 2] {
    let names = summary.names();
    let (first, others) = names.split_at(1.min(names.len()));
    [first.concat(), others.join(", ")]
}

/// Our figure, with its marks.
fn figure(summary: &ContestSummary) -> String {
    let paper = percent_of(summary);
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
    /// Our interval contains one half, or theirs is one half.
    Open,
}

/// How our figure agrees with theirs in per cent.
fn agreement(ours: &ContestSummary, theirs: f64) -> PublishedAgreement {
    let theirs: Ordering = theirs.total_cmp(&50.0);
    match ours.compared_with_half() {
        None => PublishedAgreement::Open,
        Some(_) if theirs.is_eq() => PublishedAgreement::Open,
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
            summary.conditions(),
            percent(summary.score, summary.lower, summary.upper),
            summary.games.to_string(),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::MoveBudget;
    use crate::published_value::PublishedValue;
    use crate::summary::tests::{line, stored};
    use expect_test::expect;

    /// The first agent wins all of ten games, or half of them.
    fn summary(
        half: bool,
        budget: u64,
        paper: Option<f64>,
        cell: Option<[&str; 2]>,
    ) -> ContestSummary {
        let goals = |game: u64| {
            if half || game.is_multiple_of(2) {
                [100, 0]
            } else {
                [0, 100]
            }
        };
        let paper = cell.map(|[table, row]| PublishedValue {
            percent: paper,
            interval: paper.map(|_| 5.0),
            games: paper.map(|_| 300),
            overall: Some(61.2),
            table: Some(table.to_owned()),
            row: Some(row.to_owned()),
            column: Some("MAST".to_owned()),
        });
        let games = (0..10).map(|game| line(game, &goals(game)));
        ContestSummary {
            budget: MoveBudget::Steps(budget),
            paper,
            ..ContestSummary::new(&stored(games), u64::MAX)
        }
    }

    #[test]
    fn published_values_stand_beside_ours() {
        let summaries = [
            summary(false, 500, Some(90.0), Some(["One", "Go"])),
            summary(false, 500, Some(40.0), Some(["One", "Hex"])),
            summary(true, 500, Some(70.0), Some(["One", "Tron"])),
            summary(true, 3000, Some(90.0), Some(["One", "Go"])),
            summary(true, 3000, Some(40.0), Some(["One", "Hex"])),
            summary(false, 500, None, Some(["One", "Chess"])),
            summary(false, 500, None, Some(["Two", "Go"])),
            summary(true, 500, None, None),
        ];
        expect![[r#"
            | budget | cells | correlation | of a repetition | mean difference | of a repetition | of 50 % | within intervals | 50 % within |
            |---|---:|---:|---:|---:|---:|---:|---:|---:|
            | 500 steps | 3 | -0.11 | 0.80 | 30.0 | 12.1 | 23.3 | 2 | 2 |
            | 3,000 steps | 2 | - | 0.83 | 25.0 | 13.5 | 25.0 | 1 | 1 |
            | 500 steps, common cells | 2 | - | 0.86 | 35.0 | 11.5 | 25.0 | 1 | 1 |
            | 3,000 steps, common cells | 2 | - | 0.83 | 25.0 | 13.5 | 25.0 | 1 | 1 |

            Differences are absolute, in points of a per cent. *Of a repetition*: what is to be expected
            if the true scores were the same, since there are errors on both sides. *Of 50 %*, *50 %
            within*: the same of a prediction of 50 % for every cell. *Within intervals*: cells whose
            difference is within 1.96 of its standard errors, the published intervals included. *Common
            cells*: those that all budgets with at least half as many cells as the most have.

            | row | papers | 500 steps | 3,000 steps |
            |---|---:|---:|---:|
            | Go | 0 | 0 | 0 |
            | Hex | 18 | 0 | 0 |
            | Tron | 6 | 0 |  |

            Drawn games, in per cent, means of the cells of a row. Those of the papers follow from their
            intervals: p(1 − p) − d/4 is the variance of a score p with a share of d draws.

            The cells furthest from their published values, at 500 steps a move:

            | table | row | column | paper | ours | difference | standard errors |
            |---|---|---|---:|---:|---:|---:|
            | One | Hex | MAST | 40.0 % | 100.0 % | +60.0 | 4.2 |
            | One | Tron | MAST | 70.0 % | 50.0 % | -20.0 | 1.2 |
            | One | Go | MAST | 90.0 % | 100.0 % | +10.0 | 0.7 |

            In brackets games. = on the same side of one half as the published value, with the
            interval; ≠ on the other side. † no game had a cutoff that applied, ‡ not all games.

            ### One

            | row | column | first | against | paper | 500 steps | 3,000 steps |
            |---|---|---|---|---:|---:|---:|
            | Chess | MAST | uct | random | N/A | 100.0 ± 27.8 % (10) |  |
            | Go | MAST | uct | random | 90.0 ± 5.0 % | 100.0 ± 27.8 % (10) = | 50.0 ± 32.7 % (10) |
            | Hex | MAST | uct | random | 40.0 ± 5.0 % | 100.0 ± 27.8 % (10) **≠** | 50.0 ± 32.7 % (10) |
            | Tron | MAST | uct | random | 70.0 ± 5.0 % | 50.0 ± 32.7 % (10) |  |
            | **Overall** | MAST |  |  | 61.2 % | 83.3 % |  |

            ### Two

            10 games a cell against random, 500 steps:

            | agent | Go | mean |
            |---|---:|---:|
            | uct | **100.0** | **100.0** ± 27.8 |

            | game | first | against | budget | ours | games |
            |---|---|---|---|---:|---:|
            | hex | uct | random | 500 steps | 50.0 ± 32.7 % | 10 |
        "#]].assert_eq(&tables(&summaries));
    }

    #[test]
    fn without_published_values_there_are_no_tables_of_agreement() {
        let text = tables(&[summary(false, 500, None, Some(["Two", "Go"]))]);
        assert!(text.starts_with("### Two\n"), "{text}");
    }

    #[test]
    fn one_half_is_on_neither_side() {
        let ours = summary(false, 500, None, None);
        assert_eq!(agreement(&ours, 50.0), PublishedAgreement::Open);
        assert_eq!(agreement(&ours, 49.0), PublishedAgreement::OtherSide);
    }
}
