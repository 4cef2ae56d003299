//! Tables without published values, such as our own: agents by games.

use super::budget_column::BudgetColumn;
use crate::markdown::MarkdownTable;
use crate::summary::ContestSummary;
use std::collections::{BTreeMap, BTreeSet};

/// A table for each budget and opponent: a line per agent with its score in every game, in
/// per cent, and their mean. Scores and means whose interval does not contain one half are bold.
#[must_use]
pub fn markdown(rows: &[&ContestSummary]) -> String {
    let mut grids: BTreeMap<(BudgetColumn, String), Vec<&ContestSummary>> = BTreeMap::new();
    for summary in rows {
        let against = summary.names().get(1..).unwrap_or_default().join(", ");
        let grid = grids.entry((BudgetColumn::of(summary), against));
        grid.or_default().push(summary);
    }
    let texts = grids.iter().map(|((budget, against), rows)| {
        let head = format!(
            "{} a cell against {against}, {}",
            games(rows),
            budget.name()
        );
        format!("{head}:\n\n{}", grid(rows))
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The number of games of a cell, or the fewest and the most.
fn games(rows: &[&ContestSummary]) -> String {
    let counts: BTreeSet<u64> = rows.iter().map(|summary| summary.games).collect();
    match (counts.first(), counts.last()) {
        (Some(fewest), Some(most)) if fewest < most => format!("{fewest} to {most} games"),
        (_, most) => format!("{} games", most.unwrap_or(&0)),
    }
}

fn grid(rows: &[&ContestSummary]) -> MarkdownTable {
    let columns: BTreeSet<String> = rows.iter().map(|summary| game(summary)).collect();
    let mut agents: BTreeMap<String, BTreeMap<String, &ContestSummary>> = BTreeMap::new();
    for &summary in rows {
        let agent = summary.names().first().map(ToString::to_string);
        let cells = agents.entry(agent.unwrap_or_default()).or_default();
        cells.insert(game(summary), summary);
    }
    let heads = ["agent"].into_iter().map(str::to_owned);
    let heads = heads.chain(columns.iter().cloned());
    let mut table = MarkdownTable::new(1, heads.chain(["mean".to_owned()]));
    for (agent, cells) in agents {
        let figures = columns.iter().map(|game| {
            let cell = cells.get(game);
            let score = cell.and_then(|cell| Some((cell, cell.score?)));
            score.map_or_else(String::new, |(cell, score)| {
                figure(score, cell.compared_with_half().is_some())
            })
        });
        let mean = match cells.len() == columns.len() {
            true => mean(&cells.values().copied().collect::<Vec<_>>()),
            false => String::new(),
        };
        table.row([agent].into_iter().chain(figures).chain([mean]));
    }
    table
}

/// The row of a contest in its table, which is its game.
fn game(summary: &ContestSummary) -> String {
    let row = summary.paper.as_ref().and_then(|paper| paper.row.clone());
    row.unwrap_or_else(|| summary.game.clone())
}

/// A score in per cent.
fn figure(score: f64, is_clear: bool) -> String {
    let figure = format!("{:.1}", 100.0 * score);
    match is_clear {
        true => format!("**{figure}**"),
        false => figure,
    }
}

/// The mean of the scores of contests, with its 95 % interval: their errors are independent.
fn mean(cells: &[&ContestSummary]) -> String {
    let count = cells.len() as f64;
    let scores: Option<Vec<f64>> = cells.iter().map(|cell| cell.score).collect();
    let errors: Option<Vec<f64>> = cells.iter().map(|cell| cell.half_width()).collect();
    let (Some(scores), Some(errors)) = (scores, errors) else {
        return String::new();
    };
    let mean = scores.iter().sum::<f64>() / count;
    let half = errors.iter().map(|half| half * half).sum::<f64>().sqrt() / count;
    let is_clear = (mean - 0.5).abs() > half;
    format!("{} ± {:.1}", figure(mean, is_clear), 100.0 * half)
}
