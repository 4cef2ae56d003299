//! Cross tables: all agents against all in one game.

use super::format::{grid, percent};
use crate::statistics::elo::EloInterval;
use crate::statistics::interval::Scores;
use crate::statistics::rating::{Encounters, Rating, ratings};
use crate::summary::{AgentSummary, ContestSummary};
use serde::Serialize;
use std::fmt::Write as _;

/// All agents against all in one game under the same conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossTable {
    /// The rule sheet's name.
    pub game: String,
    /// What a move may cost, as text.
    pub conditions: String,
    /// The agents, in order of first appearance.
    pub agents: Vec<CrossRow>,
}

/// What an agent has achieved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossRow {
    /// The agent as text.
    pub agent: String,
    /// Its result against every agent; `None` against itself and agents that it has not met.
    pub cells: Vec<Option<CrossCell>>,
    /// Its Elo rating among these agents, if it has met others.
    pub rating: Option<Rating>,
    /// The number of its moves that were not legal.
    pub illegal: u64,
    /// The number of its moves that exceeded their time.
    pub overruns: u64,
}

/// The result of one agent against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossCell {
    /// The number of encounters: of games or, in games of one role, of sets of games.
    pub encounters: u64,
    /// The score from 0 to 1, and the ends of its 95 % interval; `None` without encounters.
    pub score: Option<f64>,
    /// The lower end.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// The Elo difference that the score shows.
    pub elo: Option<EloInterval>,
}

impl CrossTable {
    /// One table for each game and budget in which agents met in pairs.
    #[must_use]
    pub fn all(summaries: &[&ContestSummary]) -> Vec<Self> {
        groups(summaries)
            .iter()
            .map(|group| Self::of(group))
            .collect()
    }

    fn of(group: &[&ContestSummary]) -> Self {
        let names = agents(group);
        let cells = |row: &str| -> Vec<Option<CrossCell>> {
            let columns = names.iter().map(|&column| cell(group, row, column));
            columns.collect()
        };
        let cells: Vec<Vec<Option<CrossCell>>> = names.iter().map(|row| cells(row)).collect();
        let rated = ratings(names.len(), &pairings(&cells));
        let rows = names.iter().zip(cells).zip(rated);
        let rows = rows.map(|((&name, cells), rating)| CrossRow {
            agent: name.to_owned(),
            cells,
            rating,
            illegal: total(group, name, |own| own.illegal),
            overruns: total(group, name, |own| own.overruns),
        });
        Self {
            game: group[0].game.clone(),
            conditions: group[0].conditions(),
            agents: rows.collect(),
        }
    }

    /// The scores as text.
    fn text(&self) -> String {
        let names = self.agents.iter().map(|row| row.agent.clone());
        let head: Vec<String> = [String::new()].into_iter().chain(names).collect();
        let rows = self.agents.iter().map(|row| {
            let score = |cell: &Option<CrossCell>| match cell {
                Some(cell) => percent(cell.score, cell.lower, cell.upper),
                None => String::new(),
            };
            let scores = row.cells.iter().map(score);
            [row.agent.clone()].into_iter().chain(scores).collect()
        });
        grid(&head, rows)
    }
}

/// One table for each game and budget in which three or more agents met in pairs: the
/// score of the row's agent against the column's.
#[must_use]
pub fn tables(summaries: &[ContestSummary]) -> String {
    let mut text = String::new();
    let summaries: Vec<&ContestSummary> = summaries.iter().collect();
    let tables = CrossTable::all(&summaries).into_iter();
    for table in tables.filter(|table| table.agents.len() > 2) {
        let _ = writeln!(text, "{}, {} a move", table.game, table.conditions);
        let _ = writeln!(text, "{}\n", table.text());
    }
    text
}

/// Contests of two agents by game and budget, in order of first appearance.
fn groups<'a>(summaries: &[&'a ContestSummary]) -> Vec<Vec<&'a ContestSummary>> {
    let mut groups: Vec<Vec<&ContestSummary>> = Vec::new();
    for &summary in summaries.iter().filter(|summary| summary.agents.len() == 2) {
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

/// The result of one agent against another in all contests between them, whichever of them
/// was the first there; `None` if there is none.
fn cell(group: &[&ContestSummary], row: &str, column: &str) -> Option<CrossCell> {
    let met: Vec<Scores> = group
        .iter()
        .filter_map(|summary| scores(summary, row, column))
        .collect();
    if met.is_empty() {
        return None;
    }
    let all: Scores = met.into_iter().sum();
    let interval = all.interval();
    let (score, lower, upper) = (
        interval.map(|interval| interval.score),
        interval.map(|interval| interval.lower),
        interval.map(|interval| interval.upper),
    );
    Some(CrossCell {
        encounters: all.count,
        score,
        lower,
        upper,
        elo: EloInterval::of(score, lower, upper),
    })
}

/// The scores of one agent against another in a contest of two; `None` if it is not one
/// between these.
fn scores(summary: &ContestSummary, row: &str, column: &str) -> Option<Scores> {
    let names = summary.names();
    let (wins, losses) = match &names[..] {
        _ if row == column => return None,
        [one, other] if (*one, *other) == (row, column) => (summary.wins, summary.losses),
        [one, other] if (*one, *other) == (column, row) => (summary.losses, summary.wins),
        _ => return None,
    };
    let draws = summary.draws as f64;
    Some(Scores {
        count: wins + summary.draws + losses,
        sum: wins as f64 + draws / 2.0,
        squares: wins as f64 + draws / 4.0,
    })
}

/// Every pair of agents that have met, once.
fn pairings(cells: &[Vec<Option<CrossCell>>]) -> Vec<Encounters> {
    let rows = cells.iter().enumerate();
    let pairs = rows.flat_map(|(row, cells)| {
        let later = cells.iter().enumerate().skip(row + 1);
        later.filter_map(move |(column, cell)| {
            let cell = cell.as_ref()?;
            Some(Encounters {
                agents: [row, column],
                encounters: cell.encounters,
                score: cell.score?,
            })
        })
    });
    pairs.collect()
}

/// A count of an agent in all its contests.
fn total(group: &[&ContestSummary], agent: &str, count: impl Fn(&AgentSummary) -> u64) -> u64 {
    let summaries = group.iter().flat_map(|summary| &summary.agents);
    summaries.filter(|own| own.agent == agent).map(count).sum()
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

    #[test]
    fn all_contests_of_two_agents_count() {
        let won = |games: &[[i32; 2]]| {
            let lines = games.iter().zip(0..).map(|(goals, game)| line(game, goals));
            ContestSummary::new(&stored(lines), u64::MAX)
        };
        let one = won(&[[100, 0], [0, 100], [50, 50]]);
        let mut mirrored = won(&[[100, 0]]);
        mirrored.agents.swap(0, 1);
        let all = cell(&[&one, &mirrored], "uct", "random").expect("they met");
        // Two wins, a draw and a loss.
        let same = won(&[[100, 0], [0, 100], [50, 50], [100, 0]]);
        assert_eq!(Some(all), cell(&[&same], "uct", "random"));
    }
}
