//! Contests as tables of Markdown, published values beside ours.

use super::table::percent;
use super::{Paper, Summary};
use std::fmt::Write as _;

/// A table for each published one, by their titles, and one for what has none;
/// lines by row and column.
#[must_use]
pub fn tables(summaries: &[Summary]) -> String {
    let mut summaries: Vec<&Summary> = summaries.iter().collect();
    summaries.sort_by_cached_key(|summary| place(summary));
    let mut titles: Vec<Option<&str>> = Vec::new();
    for summary in &summaries {
        let title = title(summary);
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    let mut text = String::new();
    for (index, name) in titles.iter().enumerate() {
        text.push_str(if index > 0 { "\n" } else { "" });
        if let Some(name) = name {
            let _ = writeln!(text, "### {name}\n");
        }
        let rows = summaries.iter().copied();
        let rows = rows.filter(|summary| title(summary) == *name);
        text.push_str(&table(&rows.collect::<Vec<_>>()));
    }
    text
}

/// Where a line stands: what nobody published comes last.
fn place(summary: &Summary) -> (bool, [Option<String>; 3], String) {
    let paper = summary.paper.clone().unwrap_or_default();
    let budget = summary.budget.to_string();
    let rest = format!("{} {:?} {budget:>30}", summary.game, summary.names());
    let of_none = paper.table.is_none();
    (of_none, [paper.table, paper.row, paper.column], rest)
}

fn title(summary: &Summary) -> Option<&str> {
    summary.paper.as_ref()?.table.as_deref()
}

fn table(rows: &[&Summary]) -> String {
    let compared = rows.iter().any(|summary| summary.paper.is_some());
    let mut text = String::new();
    if compared {
        text.push_str(
            "| row | column | first | against | budget | paper | ours | games | sign |\n",
        );
        text.push_str("|---|---|---|---|---|---:|---:|---:|---|\n");
    } else {
        text.push_str("| game | first | against | budget | ours | games |\n");
        text.push_str("|---|---|---|---|---:|---:|\n");
    }
    for summary in rows {
        let names = summary.names();
        let first = names.first().copied().unwrap_or_default();
        let others = names[1.min(names.len())..].join(", ");
        let ours = percent(summary.score, summary.lower, summary.upper);
        let (budget, games) = (summary.budget, summary.games);
        let _ = if compared {
            let paper = summary.paper.clone().unwrap_or_default();
            let row = paper.row.clone().unwrap_or_else(|| summary.game.clone());
            let column = paper.column.clone().unwrap_or_default();
            let value = paper
                .percent
                .map_or_else(|| "N/A".to_owned(), |value| format!("{value:.1} %"));
            let note = note(summary, &paper);
            writeln!(
                text,
                "| {row} | {column} | {first} | {others} | {budget} | {value} | {ours} | {games} | {note} |"
            )
        } else {
            let game = &summary.game;
            writeln!(
                text,
                "| {game} | {first} | {others} | {budget} | {ours} | {games} |"
            )
        };
    }
    text
}

/// What there is to say of a comparison.
fn note(summary: &Summary, paper: &Paper) -> String {
    let cuts = summary.agents.iter().filter_map(|agent| agent.cuts);
    let idle = match cuts.reduce(f64::min) {
        Some(0.0) => "cutoff does not apply",
        Some(share) if share < 1.0 => "cutoff does not always apply",
        _ => "",
    };
    let notes = [sign(summary, paper), idle];
    let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

/// Whether ours and theirs are on the same side of one half: open where our
/// interval holds it.
fn sign(summary: &Summary, paper: &Paper) -> &'static str {
    match (summary.side(), paper.percent) {
        (_, None) => "",
        (None, _) => "open",
        (Some(ours), Some(percent)) if percent.total_cmp(&50.0) == ours => "same",
        _ => "**differs**",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::summary::tests::{line, stored};
    use expect_test::expect;

    /// The first agent wins all of ten games, or half of them.
    fn summary(half: bool, paper: Option<f64>, table: Option<&str>) -> Summary {
        let goals = |game: u64| {
            if half || game.is_multiple_of(2) {
                [100, 0]
            } else {
                [0, 100]
            }
        };
        let paper = table.map(|table| Paper {
            percent: paper,
            table: Some(table.to_owned()),
            row: Some("Hex".to_owned()),
            column: Some("MAST".to_owned()),
        });
        let games = (0..10).map(|game| line(game, &goals(game)));
        Summary {
            paper,
            ..Summary::new(&stored(games), u64::MAX)
        }
    }

    #[test]
    fn published_values_stand_beside_ours() {
        let summaries = [
            summary(false, Some(90.0), Some("One")),
            summary(false, None, Some("Two")),
            summary(false, Some(40.0), Some("One")),
            summary(true, Some(40.0), Some("One")),
            summary(true, None, None),
        ];
        expect![[r#"
            ### One

            | row | column | first | against | budget | paper | ours | games | sign |
            |---|---|---|---|---|---:|---:|---:|---|
            | Hex | MAST | uct | random | 100 simulations | 90.0 % | 100.0 ± 27.8 % | 10 | same |
            | Hex | MAST | uct | random | 100 simulations | 40.0 % | 100.0 ± 27.8 % | 10 | **differs** |
            | Hex | MAST | uct | random | 100 simulations | 40.0 % | 50.0 ± 32.7 % | 10 | open |

            ### Two

            | row | column | first | against | budget | paper | ours | games | sign |
            |---|---|---|---|---|---:|---:|---:|---|
            | Hex | MAST | uct | random | 100 simulations | N/A | 100.0 ± 27.8 % | 10 |  |

            | game | first | against | budget | ours | games |
            |---|---|---|---|---:|---:|
            | hex | uct | random | 100 simulations | 50.0 ± 32.7 % | 10 |
        "#]].assert_eq(&tables(&summaries));
    }
}
