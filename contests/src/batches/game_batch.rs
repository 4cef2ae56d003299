//! Games to be played together in one process, and what comes back.

use crate::configuration::ContestConfiguration;
use crate::journal::{GameLine, UnfinishedLine};
use gdl_network::host::PlayerSpec;
use serde::{Deserialize, Serialize};

/// Games of contests that can be played together, on one thread, with all that a process needs
/// to play them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameBatch {
    /// The text of the rule sheet.
    pub rules: String,
    /// The contests that have games in it.
    pub parts: Vec<BatchPart>,
}

/// Games of one contest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchPart {
    /// The index of the contest in its tournament.
    pub contest: usize,
    /// What determines all its games.
    pub configuration: ContestConfiguration,
    /// The indices of the games in its schedule.
    pub games: Vec<u64>,
    /// How far those of them have come that have begun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub begun: Vec<UnfinishedLine>,
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The index of its contest in the tournament.
    pub contest: usize,
    /// The line for the contest's journal.
    pub line: GameLine,
}

impl GameBatch {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        self.parts.iter().map(|part| part.games.len()).sum()
    }

    /// The number of processors that playing it takes: one, unless agents have threads of their
    /// own.
    #[must_use]
    pub fn processors(&self) -> usize {
        let texts = self
            .parts
            .iter()
            .flat_map(|part| &part.configuration.agents);
        let specs = texts.filter_map(|text| text.parse::<PlayerSpec>().ok());
        let threads = specs.filter_map(|spec| Some(spec.agent()?.threads()));
        threads.max().unwrap_or(1).max(1)
    }
}
