//! Contests as tables of Markdown, published values beside ours.

use super::text::percent;
use crate::summary::ContestSummary;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What stands beside figures in tables of published values.
const LEGEND: &str = "\
In brackets games. = on the same side of one half as the published value, with the
interval; ≠ on the other side. † no game had a cutoff that applied, ‡ not all games.
";

/// How many published values were met at each budget, then a table for each
/// published one, by their titles, and one for what has none; lines by row and
/// column.
#[must_use]
pub fn tables(summaries: &[ContestSummary]) -> String {
    let mut summaries: Vec<&ContestSummary> = summaries.iter().collect();
    summaries.sort_by_cached_key(|summary| place(summary));
    let published = |summary: &&ContestSummary| summary.paper.is_some();
    let (compared, others): (Vec<_>, Vec<_>) = summaries.into_iter().partition(published);
    let mut parts = Vec::new();
    if !compared.is_empty() {
        parts.push(overview(&compared));
        parts.push(met(&compared));
        parts.push(LEGEND.to_owned());
    }
    for rows in compared.chunk_by(|one, other| title(one) == title(other)) {
        parts.push(comparison(rows));
    }
    if !others.is_empty() {
        parts.push(plain(&others));
    }
    parts.join("\n")
}

/// Where a line stands.
fn place(summary: &ContestSummary) -> ([Option<String>; 3], String) {
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

/// A budget as the title of a column: with blanks before it, so that the number of
/// digits comes first in the order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct BudgetColumn(String);

impl BudgetColumn {
    fn of(summary: &ContestSummary) -> Self {
        Self(format!("{:>30}", summary.budget.to_string()))
    }

    fn all(rows: &[&ContestSummary]) -> BTreeSet<Self> {
        rows.iter().map(|summary| Self::of(summary)).collect()
    }

    fn name(&self) -> &str {
        self.0.trim_start()
    }
}

/// A line a budget: how many of the cells are on the side of one half that the
/// published values are on, in how many the interval holds these, and how far from
/// them our figures are on average.
fn overview(rows: &[&ContestSummary]) -> String {
    let mut text = "\
        | budget | cells | same side | other side | open | in the interval | mean difference, points |\n\
        |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for budget in BudgetColumn::all(rows) {
        let here = rows
            .iter()
            .filter(|summary| BudgetColumn::of(summary) == budget)
            .filter_map(|summary| Some((summary.paper.as_ref()?.percent?, *summary)));
        let sides = here.clone().map(|(theirs, ours)| side(ours, theirs));
        let sides: Vec<SideOfHalf> = sides.collect();
        let count = |side| sides.iter().filter(|&&other| other == side).count();
        let held = here.clone().filter(|&(theirs, ours)| holds(ours, theirs));
        let held = held.count();
        let differences: Vec<f64> = here
            .filter_map(|(theirs, ours)| Some((100.0 * ours.score? - theirs).abs()))
            .collect();
        let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {held} | {mean:.1} |",
            budget.name(),
            sides.len(),
            count(SideOfHalf::Same),
            count(SideOfHalf::Other),
            count(SideOfHalf::Open),
        );
    }
    text
}

/// Whether our interval holds a published value in per cent.
fn holds(ours: &ContestSummary, theirs: f64) -> bool {
    let bounds = ours.lower.zip(ours.upper);
    bounds.is_some_and(|(lower, upper)| (lower..=upper).contains(&(theirs / 100.0)))
}

/// For how many cells some budget comes to the published value.
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

/// A published table: a line a cell, our figures in a column a budget.
fn comparison(rows: &[&ContestSummary]) -> String {
    let budgets = BudgetColumn::all(rows);
    let names: Vec<&str> = budgets.iter().map(BudgetColumn::name).collect();
    let mut text = title(rows[0]).map_or_else(String::new, |title| format!("### {title}\n\n"));
    let _ = writeln!(
        text,
        "| row | column | first | against | paper | {} |\n|---|---|---|---|---:|{}",
        names.join(" | "),
        "---:|".repeat(names.len())
    );
    for cell in rows.chunk_by(|one, other| cell(one) == cell(other)) {
        let figures = budgets.iter().map(|budget| {
            let here = cell
                .iter()
                .filter(|summary| BudgetColumn::of(summary) == *budget);
            here.map(|summary| figure(summary)).collect::<Vec<_>>()
        });
        let figures: Vec<String> = figures.map(|figures| figures.join(", ")).collect();
        let (heads, figures) = (heads(cell[0]).join(" | "), figures.join(" | "));
        let _ = writeln!(text, "| {heads} | {figures} |");
    }
    text
}

/// What figures of one cell have in common.
fn cell(summary: &ContestSummary) -> (Option<&str>, [String; 5]) {
    (title(summary), heads(summary))
}

/// What a line of a published table begins with.
fn heads(summary: &ContestSummary) -> [String; 5] {
    let paper = summary.paper.clone().unwrap_or_default();
    let [first, against] = sides(summary);
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

/// The first agent, and the others.
fn sides(summary: &ContestSummary) -> [String; 2] {
    let names = summary.names();
    let (first, others) = names.split_at(1.min(names.len()));
    [first.concat(), others.join(", ")]
}

/// Our figure, and what there is to say of it.
fn figure(summary: &ContestSummary) -> String {
    let paper = summary.paper.as_ref().and_then(|paper| paper.percent);
    let mark = match paper.map(|percent| side(summary, percent)) {
        Some(SideOfHalf::Same) => " =",
        Some(SideOfHalf::Other) => " **≠**",
        Some(SideOfHalf::Open) | None => "",
    };
    let cuts = summary.agents.iter().filter_map(|agent| agent.cuts);
    let idle = match cuts.reduce(f64::min) {
        Some(0.0) => " †",
        Some(share) if share < 1.0 => " ‡",
        _ => "",
    };
    let ours = percent(summary.score, summary.lower, summary.upper);
    format!("{ours} ({}){mark}{idle}", summary.games)
}

/// Where our figure is, seen from a published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SideOfHalf {
    /// On the same side of one half.
    Same,
    /// On the other one.
    Other,
    /// Our interval holds one half.
    Open,
}

/// Where ours is, seen from theirs in per cent.
fn side(ours: &ContestSummary, theirs: f64) -> SideOfHalf {
    match ours.side() {
        None => SideOfHalf::Open,
        Some(side) if theirs.total_cmp(&50.0) == side => SideOfHalf::Same,
        Some(_) => SideOfHalf::Other,
    }
}

/// What nobody published: a line a contest.
fn plain(rows: &[&ContestSummary]) -> String {
    let mut text = "\
        | game | first | against | budget | ours | games |\n\
        |---|---|---|---|---:|---:|\n"
        .to_owned();
    for summary in rows {
        let [first, against] = sides(summary);
        let ours = percent(summary.score, summary.lower, summary.upper);
        let (game, budget, games) = (&summary.game, summary.budget, summary.games);
        let _ = writeln!(
            text,
            "| {game} | {first} | {against} | {budget} | {ours} | {games} |"
        );
    }
    text
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
