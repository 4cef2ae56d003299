//! The journal of a contest: its configuration, then one line per game.

use super::{GameLine, Journal, JournalError, UnfinishedGames, lines};
use crate::configuration::ContestConfiguration;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A contest as stored in a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredContest {
    /// What determines all games.
    pub configuration: ContestConfiguration,
    /// The finished games by their indices in the schedule.
    pub games: BTreeMap<u64, GameLine>,
}

impl StoredContest {
    /// Reads a journal; `None` if it has no complete line yet.
    ///
    /// # Errors
    /// If it cannot be read, or a line is not what it should be.
    pub fn read(path: &Path) -> Result<Option<Self>, JournalError> {
        Self::parse(path, &lines::read(path)?)
    }

    fn parse(path: &Path, lines: &[String]) -> Result<Option<Self>, JournalError> {
        let Some((head, rest)) = lines.split_first() else {
            return Ok(None);
        };
        let configuration: ContestConfiguration =
            serde_json::from_str(head).map_err(|source| JournalError::Configuration {
                path: path.to_owned(),
                source,
            })?;
        let mut games = BTreeMap::new();
        for (line, text) in (2..).zip(rest) {
            let game: GameLine =
                serde_json::from_str(text).map_err(|source| JournalError::Game {
                    path: path.to_owned(),
                    line,
                    source,
                })?;
            if !game.is_of(&configuration) {
                let path = path.to_owned();
                return Err(JournalError::ForeignGame { path, line });
            }
            games.entry(game.game).or_insert(game);
        }
        Ok(Some(Self {
            configuration,
            games,
        }))
    }

    /// The same contest with the games in some ranges only.
    #[must_use]
    pub fn restricted(&self, ranges: &[Range<u64>]) -> Self {
        let games = ranges
            .iter()
            .flat_map(|range| self.games.range(range.clone()));
        Self {
            configuration: self.configuration.clone(),
            games: games
                .map(|(&number, game)| (number, game.clone()))
                .collect(),
        }
    }

    /// Adds the games of another part of the same contest. If both have a game, the
    /// first one counts.
    pub fn merge(&mut self, other: Self) {
        for (number, game) in other.games {
            self.games.entry(number).or_insert(game);
        }
        let configuration = &mut self.configuration;
        configuration.paper = configuration.paper.take().or(other.configuration.paper);
    }
}

/// A contest in its files, open for more games.
pub struct ContestStore {
    journal: Journal,
    /// The unfinished games, as far as they have been played.
    pub unfinished: UnfinishedGames,
    /// The journal's path.
    pub path: PathBuf,
    /// What the journal has.
    pub stored: StoredContest,
}

impl ContestStore {
    /// Opens the journal of a contest, or begins it. An incomplete last line is
    /// removed.
    ///
    /// # Errors
    /// If the file belongs to another contest or process, or cannot be used.
    pub fn open(path: &Path, configuration: &ContestConfiguration) -> Result<Self, JournalError> {
        let (mut journal, lines) = Journal::open_locked(path)?;
        let known = StoredContest::parse(path, &lines)?;
        let differences = known
            .as_ref()
            .map(|stored| stored.configuration.differences(configuration))
            .unwrap_or_default();
        if !differences.is_empty() {
            let path = path.to_owned();
            return Err(JournalError::OtherContest { path, differences });
        }
        // Only now, since this removes the unfinished games of another contest.
        let mut unfinished = UnfinishedGames::open(path, configuration)?;
        let stored = match known {
            Some(stored) => stored,
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

    /// Whether a game that is not in the journal has been begun, even if it is not
    /// asked for now.
    #[must_use]
    pub fn has_unfinished_games(&self) -> bool {
        let mut games = self.unfinished.games();
        games.any(|number| !self.stored.games.contains_key(&number))
    }

    /// Appends a game to the journal.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: GameLine) -> Result<(), JournalError> {
        self.journal.append(&game)?;
        self.stored.games.insert(game.game, game);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::tests::configuration;

    #[test]
    fn a_refused_contest_leaves_the_files_of_the_other_alone() {
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("games.jsonl");
        let open = |memory| {
            let mut configuration = configuration(&["uct", "random"]);
            configuration.memory = memory;
            ContestStore::open(&path, &configuration)
        };
        drop(open(512).expect("it can be begun"));
        let under_way = path.with_added_extension("under-way");
        std::fs::copy(&path, &under_way).expect("it can be copied");
        let refused = open(256).map(drop);
        assert!(matches!(refused, Err(JournalError::OtherContest { .. })));
        assert!(under_way.exists());
        drop(open(512).expect("it is the same contest"));
        assert!(under_way.exists());
    }

    #[test]
    fn contests_without_agents_or_roles_are_refused() {
        let game = r#"{"game":0,"seats":[],"goals":[],"terminal":true,"players":[],"moves":[]}"#;
        for (some, none) in [(r#""agents":["uct"]"#, r#""agents":[]"#), ROLES] {
            let configuration = serde_json::to_string(&configuration(&["uct"]));
            let head = configuration
                .expect("configurations are JSON")
                .replace(some, none);
            assert!(head.contains(none), "{head}");
            let lines = [head, game.to_owned()];
            let refused = StoredContest::parse(Path::new("games.jsonl"), &lines);
            assert!(matches!(refused, Err(JournalError::Configuration { .. })));
        }
    }

    const ROLES: (&str, &str) = (r#""roles":["black","white"]"#, r#""roles":[]"#);
}
