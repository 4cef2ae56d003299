//! The journal of a contest: its configuration, then a line a game.

use super::GameLine;
use super::unfinished::UnfinishedGames;
use crate::configuration::ContestConfiguration;
use crate::journal::{self, Journal};
use anyhow::{Context as _, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A contest as it was found in a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredContest {
    /// What it is about.
    pub configuration: ContestConfiguration,
    /// The games by their places.
    pub games: BTreeMap<u64, GameLine>,
}

impl StoredContest {
    /// Reads a journal; none if it has no whole line yet.
    ///
    /// # Errors
    /// If it cannot be read, or a line is not what it should be.
    pub fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        Self::parse(path, &journal::read(path)?)
    }

    fn parse(path: &Path, lines: &[String]) -> anyhow::Result<Option<Self>> {
        let Some((head, rest)) = lines.split_first() else {
            return Ok(None);
        };
        let place = |line: usize| format!("{}:{line}", path.display());
        let configuration: ContestConfiguration = serde_json::from_str(head)
            .with_context(|| format!("{}: no configuration of a contest", place(1)))?;
        let mut games = BTreeMap::new();
        for (index, line) in rest.iter().enumerate() {
            let place = || place(index + 2);
            let game: GameLine =
                serde_json::from_str(line).with_context(|| format!("{}: not a game", place()))?;
            let expected = configuration.schedule().fixture(game.game).agents;
            let whole = game.goals.len() == expected.len() && game.players.len() == expected.len();
            ensure!(
                whole && game.agents == expected,
                "{}: not a game of this contest",
                place()
            );
            games.entry(game.game).or_insert(game);
        }
        Ok(Some(Self {
            configuration,
            games,
        }))
    }

    /// Takes over the games of another part of the same contest. Of a game that
    /// was played in both the first one counts.
    pub fn merge(&mut self, other: Self) {
        for (number, game) in other.games {
            self.games.entry(number).or_insert(game);
        }
        self.configuration.paper = self
            .configuration
            .paper
            .take()
            .or(other.configuration.paper);
    }
}

/// A contest being played.
pub struct ContestStore {
    journal: Journal,
    /// The games that it lacks, as far as they have come.
    pub unfinished: UnfinishedGames,
    /// Where it is kept.
    pub path: PathBuf,
    /// What there is of it.
    pub stored: StoredContest,
}

impl ContestStore {
    /// Opens a contest, or begins it. What was written last and cut short is
    /// forgotten.
    ///
    /// # Errors
    /// If the file is another contest's, or cannot be used.
    pub fn open(path: &Path, configuration: &ContestConfiguration) -> anyhow::Result<Self> {
        let (mut journal, lines) = Journal::open(path)?;
        ensure!(
            journal.claim(),
            "{} is being written by another process",
            path.display()
        );
        let mut unfinished = UnfinishedGames::open(path, configuration)?;
        let stored = match StoredContest::parse(path, &lines)? {
            Some(stored) => {
                let differences = stored.configuration.differences(configuration);
                ensure!(
                    differences.is_empty(),
                    "{} holds another contest: {}; name another file with --out",
                    path.display(),
                    differences.join(", ")
                );
                stored
            }
            None => {
                unfinished.discard()?;
                journal.append(configuration)?;
                StoredContest {
                    configuration: configuration.clone(),
                    games: BTreeMap::new(),
                }
            }
        };
        Ok(Self {
            journal,
            unfinished,
            path: path.to_owned(),
            stored,
        })
    }

    /// Whether games are under way, be it that nobody asks for them now.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        let mut games = self.unfinished.games();
        games.any(|number| !self.stored.games.contains_key(&number))
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: GameLine) -> anyhow::Result<()> {
        self.journal
            .append(&game)
            .with_context(|| format!("a game is lost: {}", self.path.display()))?;
        self.stored.games.insert(game.game, game);
        Ok(())
    }
}
