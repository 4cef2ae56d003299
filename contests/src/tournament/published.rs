//! Published values by game and agents, from the files of tournaments.

use super::Tournament;
use crate::published_value::PublishedValue;
use crate::summary::ContestSummary;
use gdl_engines::input;

/// The published values of all pairings of some tournaments.
#[derive(Debug, Default)]
pub struct PublishedTables {
    values: Vec<(Contestants, PublishedValue)>,
}

/// The name of a game, and its agents as texts.
type Contestants = (String, [String; 2]);

impl PublishedTables {
    /// Adds those of a tournament.
    pub fn add(&mut self, tournament: &Tournament) {
        for pairing in &tournament.pairings {
            if let Some(paper) = &pairing.paper {
                let agents = pairing.agents.each_ref().map(ToString::to_string);
                let contestants = (input::stem(&pairing.file), agents);
                self.values.push((contestants, paper.clone()));
            }
        }
    }

    /// The contest once for each value published for its game and agents, which replaces the
    /// value in its journal; unchanged if there is none. A contest can be in several tables.
    #[must_use]
    pub fn compare(&self, summary: ContestSummary) -> Vec<ContestSummary> {
        let names = summary.names();
        let is_it =
            |(game, agents): &Contestants| *game == summary.game && names == agents.each_ref();
        let values = self
            .values
            .iter()
            .filter(|(contestants, _)| is_it(contestants));
        let compared = |(_, paper): &(Contestants, PublishedValue)| ContestSummary {
            paper: Some(paper.clone()),
            ..summary.clone()
        };
        let compared: Vec<ContestSummary> = values.map(compared).collect();
        match compared.is_empty() {
            true => vec![summary],
            false => compared,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{line, stored};
    use std::path::Path;

    #[test]
    fn a_contest_stands_in_every_table_that_has_it() {
        let pairing = |second: &str, table: &str, paper: f64| {
            format!(
                "[[pairing]]\ngame = \"hex.kif\"\nfirst = \"uct\"\nsecond = \"{second}\"\n\
                 paper = {paper:.1}\ntable = \"{table}\"\n"
            )
        };
        let mut tables = PublishedTables::default();
        let texts = [
            pairing("random", "A", 60.0) + &pairing("uct+mast", "A", 70.0),
            pairing("random", "B", 80.0),
        ];
        for text in texts {
            let text = format!("games = 1\nsteps = 1\n{text}");
            let read = Tournament::parse(&text, Path::new("../games"), "t.toml");
            tables.add(&read.expect("it is sound"));
        }
        // The contest is one of hex between uct and random.
        let summary = ContestSummary::new(&stored([line(0, &[100, 0])]), u64::MAX);
        let values = |summary: &ContestSummary| {
            let compared = tables.compare(summary.clone()).into_iter();
            let papers = compared.map(|summary| summary.paper.and_then(|paper| paper.percent));
            papers.collect::<Vec<Option<f64>>>()
        };
        assert_eq!(values(&summary), [Some(60.0), Some(80.0)]);
        let other = ContestSummary {
            game: "chess".to_owned(),
            ..summary
        };
        assert_eq!(values(&other), [None]);
    }
}
