//! Cross tables: all agents against all in one game.

use super::format::{grid, percent};
use crate::summary::ContestSummary;
use std::fmt::Write as _;

/// One table for each game and budget in which three or more agents met in pairs: the
/// score of the row's agent against the column's.
#[must_use]
pub fn tables(summaries: &[ContestSummary]) -> String {
    let mut text = String::new();
    for group in groups(summaries) {
        let names = agents(&group);
        if names.len() < 3 {
            continue;
        }
        let first = group[0];
        let _ = writeln!(text, "{}, {} a move", first.game, first.conditions());
        let head: Vec<String> = [String::new()]
            .into_iter()
            .chain(names.iter().map(|&name| name.to_owned()))
            .collect();
        let rows = names.iter().map(|&row| {
            let cells = names.iter().map(|&column| cell(&group, row, column));
            [row.to_owned()].into_iter().chain(cells).collect()
        });
        let _ = writeln!(text, "{}\n", grid(&head, rows));
    }
    text
}

/// Contests of two agents by game and budget, in order of first appearance.
fn groups(summaries: &[ContestSummary]) -> Vec<Vec<&ContestSummary>> {
    let mut groups: Vec<Vec<&ContestSummary>> = Vec::new();
    for summary in summaries.iter().filter(|summary| summary.agents.len() == 2) {
        let same = |group: &&mut Vec<&ContestSummary>| {
            group[0].game == summary.game && group[0].conditions() == summary.conditions()
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(summary),
            None => groups.push(vec![summary]),
        }
    }
    groups
}

fn agents<'a>(group: &[&'a ContestSummary]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in group.iter().flat_map(|summary| summary.names()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The score of one agent against another, whichever of them was the first of the
/// contest; empty if they did not meet.
fn cell(group: &[&ContestSummary], row: &str, column: &str) -> String {
    let found = group.iter().find_map(|summary| {
        let index = |name: &str| summary.names().iter().position(|&known| known == name);
        let agent = &summary.agents[index(row)?];
        index(column)
            .filter(|_| row != column)
            .map(|_| percent(agent.score, agent.lower, agent.upper))
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{line, stored};
    use expect_test::expect;

    /// The first wins twice in four games.
    fn met(first: &str, second: &str) -> ContestSummary {
        let goals = [[100, 0], [50, 50], [50, 50], [0, 100]];
        let lines = goals.iter().zip(0..).map(|(goals, game)| line(game, goals));
        let mut stored = stored(lines);
        stored.configuration.agents = vec![first.to_owned(), second.to_owned()];
        ContestSummary::new(&stored, u64::MAX)
    }

    #[test]
    fn all_meet_all() {
        let summaries = [met("a", "b"), met("c", "a"), met("b", "c")];
        expect![[r#"
            hex, 100 simulations a move
                            a              b              c
             a                 75.0 ± 28.3 %  25.0 ± 28.3 %
             b  25.0 ± 28.3 %                 75.0 ± 28.3 %
             c  75.0 ± 28.3 %  25.0 ± 28.3 %

        "#]]
        .assert_eq(&tables(&summaries));
        assert_eq!(tables(&summaries[..1]), "");
    }
}
