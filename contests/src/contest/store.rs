//! The journal of a contest: its terms, then a line a game.

use super::under_way::UnderWay;
use super::{GameLine, Terms};
use crate::journal::{self, Journal};
use anyhow::{Context as _, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A contest as it was found in a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// What it is about.
    pub terms: Terms,
    /// The games by their places.
    pub games: BTreeMap<u64, GameLine>,
}

impl Stored {
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
        let terms: Terms = serde_json::from_str(head)
            .with_context(|| format!("{}: no terms of a contest", place(1)))?;
        let mut games = BTreeMap::new();
        for (index, line) in rest.iter().enumerate() {
            let place = || place(index + 2);
            let game: GameLine =
                serde_json::from_str(line).with_context(|| format!("{}: not a game", place()))?;
            let expected = terms.schedule().fixture(game.game).seats;
            let whole = game.goals.len() == expected.len() && game.players.len() == expected.len();
            ensure!(
                whole && game.seats == expected,
                "{}: not a game of this contest",
                place()
            );
            games.entry(game.game).or_insert(game);
        }
        Ok(Some(Self { terms, games }))
    }

    /// Takes over the games of another part of the same contest. Of a game that
    /// was played in both the first one counts.
    pub fn merge(&mut self, other: Self) {
        for (number, game) in other.games {
            self.games.entry(number).or_insert(game);
        }
        self.terms.paper = self.terms.paper.take().or(other.terms.paper);
    }
}

/// A contest being played.
pub struct Store {
    journal: Journal,
    /// The games that it lacks, as far as they have come.
    pub under_way: UnderWay,
    /// Where it is kept.
    pub path: PathBuf,
    /// What there is of it.
    pub stored: Stored,
}

impl Store {
    /// Opens a contest, or begins it. What was written last and cut short is
    /// forgotten.
    ///
    /// # Errors
    /// If the file is another contest's, or cannot be used.
    pub fn open(path: &Path, terms: &Terms) -> anyhow::Result<Self> {
        let (mut journal, lines) = Journal::open(path)?;
        ensure!(
            journal.claim(),
            "{} is being written by another process",
            path.display()
        );
        let mut under_way = UnderWay::open(path, terms)?;
        let stored = match Stored::parse(path, &lines)? {
            Some(stored) => {
                let differences = stored.terms.differences(terms);
                ensure!(
                    differences.is_empty(),
                    "{} holds another contest: {}; name another file with --out",
                    path.display(),
                    differences.join(", ")
                );
                stored
            }
            None => {
                under_way.discard()?;
                journal.append(terms)?;
                Stored {
                    terms: terms.clone(),
                    games: BTreeMap::new(),
                }
            }
        };
        Ok(Self {
            journal,
            under_way,
            path: path.to_owned(),
            stored,
        })
    }

    /// Whether games are under way, be it that nobody asks for them now.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        let mut games = self.under_way.games();
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
