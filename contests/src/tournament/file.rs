//! The file of a tournament as it is written.

use crate::published_value::PublishedValue;
use serde::Deserialize;
use toml::Spanned;

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TournamentFile {
    #[serde(default = "one")]
    pub(super) seed: u64,
    pub(super) engine: Option<Spanned<String>>,
    pub(super) games: Option<Spanned<u64>>,
    pub(super) simulations: Option<Spanned<u64>>,
    pub(super) steps: Option<Spanned<u64>>,
    pub(super) time: Option<Spanned<String>>,
    pub(super) startclock: Option<Spanned<f64>>,
    pub(super) playclock: Option<Spanned<f64>>,
    pub(super) start_simulations: Option<Spanned<u64>>,
    pub(super) start_steps: Option<Spanned<u64>>,
    /// Whether players search where their role has one legal move.
    #[serde(default)]
    pub(super) forced: bool,
    /// Rule sheets for all agents, and for pairings that name no game.
    #[serde(default)]
    pub(super) rules: Vec<Spanned<String>>,
    /// Agents that all meet each other.
    #[serde(default)]
    pub(super) agents: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) pairing: Vec<Spanned<PairingEntry>>,
    #[serde(default)]
    pub(super) matrix: Vec<Spanned<MatrixEntry>>,
    /// The number of games behind published values.
    paper_games: Option<u64>,
    #[serde(default)]
    overall: Vec<OverallEntry>,
}

fn one() -> u64 {
    1
}

/// A `[[pairing]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairingEntry {
    pub(super) game: Option<Spanned<String>>,
    pub(super) first: Spanned<String>,
    pub(super) second: Spanned<String>,
    pub(super) games: Option<Spanned<u64>>,
    pub(super) simulations: Option<Spanned<u64>>,
    pub(super) steps: Option<Spanned<u64>>,
    pub(super) time: Option<Spanned<String>>,
    pub(super) startclock: Option<Spanned<f64>>,
    pub(super) playclock: Option<Spanned<f64>>,
    paper: Option<f64>,
    interval: Option<f64>,
    table: Option<String>,
    row: Option<String>,
    column: Option<String>,
}

/// A `[[matrix]]`: agents that all meet one other agent in all games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatrixEntry {
    /// Rule sheets, if not those of the whole file.
    pub(super) rules: Option<Vec<Spanned<String>>>,
    pub(super) first: Vec<Spanned<String>>,
    pub(super) second: Spanned<String>,
    pub(super) table: Option<String>,
}

/// An `[[overall]]`: the published mean of the column of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverallEntry {
    table: Option<String>,
    column: Option<String>,
    paper: f64,
}

/// The budget of a move as it is written, in the file as a whole or in a pairing. These
/// are not one flattened struct, since `flatten` loses the positions of values.
pub(super) struct BudgetEntries<'a> {
    pub(super) simulations: Option<&'a Spanned<u64>>,
    pub(super) steps: Option<&'a Spanned<u64>>,
    pub(super) time: Option<&'a Spanned<String>>,
    pub(super) startclock: Option<&'a Spanned<f64>>,
    pub(super) playclock: Option<&'a Spanned<f64>>,
}

impl BudgetEntries<'_> {
    /// The offset of the second budget, if there is more than one.
    pub(super) fn second(&self) -> Option<usize> {
        let clock = self.startclock.or(self.playclock);
        let budgets = [
            self.simulations.map(Spanned::span),
            self.steps.map(Spanned::span),
            self.time.map(Spanned::span),
            clock.map(Spanned::span),
        ];
        let budgets = budgets.into_iter().flatten();
        let mut offsets: Vec<usize> = budgets.map(|span| span.start).collect();
        offsets.sort_unstable();
        offsets.get(1).copied()
    }
}

impl TournamentFile {
    pub(super) fn cost(&self) -> BudgetEntries<'_> {
        BudgetEntries {
            simulations: self.simulations.as_ref(),
            steps: self.steps.as_ref(),
            time: self.time.as_ref(),
            startclock: self.startclock.as_ref(),
            playclock: self.playclock.as_ref(),
        }
    }

    /// What was published for a pairing.
    pub(super) fn paper(&self, entry: &PairingEntry) -> Option<PublishedValue> {
        let is_its_column = |overall: &&OverallEntry| {
            (&overall.table, &overall.column) == (&entry.table, &entry.column)
        };
        let overall = self.overall.iter().find(is_its_column);
        let paper = PublishedValue {
            percent: entry.paper,
            interval: entry.interval,
            games: entry.paper.and(self.paper_games),
            overall: overall.map(|overall| overall.paper),
            table: entry.table.clone(),
            row: entry.row.clone(),
            column: entry.column.clone(),
        };
        (paper != PublishedValue::default()).then_some(paper)
    }
}

impl PairingEntry {
    pub(super) fn cost(&self) -> BudgetEntries<'_> {
        BudgetEntries {
            simulations: self.simulations.as_ref(),
            steps: self.steps.as_ref(),
            time: self.time.as_ref(),
            startclock: self.startclock.as_ref(),
            playclock: self.playclock.as_ref(),
        }
    }
}
