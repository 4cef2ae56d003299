//! Games of a contest that are not over, in a file beside its journal: their moves are
//! kept as they are made, so that a process that is killed loses little even if a game
//! takes an hour.
//!
//! The first line of the file is the contest's configuration, every other line some
//! rounds of a game. The file exists only while there are such games.

use super::game_line::{PlayerLine, is_zero, joint_move_texts};
use super::{Journal, JournalError};
use crate::configuration::ContestConfiguration;
use crate::game_record::GameRecord;
use crate::schedule::Fixture;
use gdl_runtime::engine::Engine;
use gdl_runtime::moves::{JointMoveError, find_joint_move};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Some rounds of a game that was not over, as a line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnfinishedLine {
    /// The game's zero-based index in the schedule.
    pub game: u64,
    /// The number of rounds played before these.
    pub from: usize,
    /// What the player of each role did up to the last of these rounds.
    pub players: Vec<PlayerLine>,
    /// How often the game was interrupted before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub interruptions: u32,
    /// The joint moves of the rounds, as KIF.
    pub moves: Vec<Vec<String>>,
}

/// The games of a contest that are not over.
pub struct UnfinishedGames {
    path: PathBuf,
    configuration: ContestConfiguration,
    /// `None` until a game has taken long enough to be reported.
    journal: Option<Journal>,
    games: BTreeMap<u64, UnfinishedLine>,
}

impl UnfinishedGames {
    /// Opens the file beside a contest's journal, if there is one. If it belongs to
    /// another contest, it is removed.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(
        contest: &Path,
        configuration: &ContestConfiguration,
    ) -> Result<Self, JournalError> {
        let mut found = Self {
            path: contest.with_added_extension("under-way"),
            configuration: configuration.clone(),
            journal: None,
            games: BTreeMap::new(),
        };
        if found.path.exists() {
            let (journal, lines) = Journal::open(&found.path)?;
            if found.read(&lines) {
                found.journal = Some(journal);
            } else {
                found.discard()?;
            }
        }
        Ok(found)
    }

    /// Reads the lines of a file; false if they belong to another contest.
    fn read(&mut self, lines: &[String]) -> bool {
        let Some((head, rest)) = lines.split_first() else {
            return false;
        };
        let is_same =
            |found: ContestConfiguration| found.differences(&self.configuration).is_empty();
        if !serde_json::from_str(head).is_ok_and(is_same) {
            return false;
        }
        for (number, line) in (2..).zip(rest) {
            match serde_json::from_str(line) {
                Ok(rounds) => self.add(rounds),
                Err(error) => {
                    let path = self.path.display();
                    tracing::warn!("{path}:{number}: not part of a game: {error}");
                }
            }
        }
        true
    }

    fn add(&mut self, rounds: UnfinishedLine) {
        match self.games.get_mut(&rounds.game) {
            Some(known) => known.extend(rounds),
            None => {
                self.games.insert(rounds.game, rounds);
            }
        }
    }

    /// Records how far a game has come.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, engine: &dyn Engine, record: &GameRecord) -> Result<(), JournalError> {
        let known = self.games.get(&record.fixture.number);
        let from = known
            .map_or(0, |game| game.moves.len())
            .min(record.moves.len());
        let rounds = UnfinishedLine::new(engine, record, from);
        let journal = match &mut self.journal {
            Some(journal) => journal,
            None => {
                let (mut journal, _) = Journal::open(&self.path)?;
                journal.append(&self.configuration)?;
                self.journal.insert(journal)
            }
        };
        journal.append(&rounds)?;
        self.add(rounds);
        Ok(())
    }

    /// The indices of all games of which something is known, including games that
    /// have ended since.
    pub fn games(&self) -> impl Iterator<Item = u64> {
        self.games.keys().copied()
    }

    /// What is known of a game.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<&UnfinishedLine> {
        self.games.get(&number)
    }

    /// A game as far as it is known. One that cannot be resumed is played from the start, and
    /// what was known of it is forgotten.
    pub fn resume(&mut self, engine: &mut dyn Engine, fixture: Fixture) -> GameRecord {
        let number = fixture.number;
        let record = match self.games.get(&number) {
            Some(known) => known.record(engine, fixture),
            None => GameRecord::new(fixture),
        };
        if record.moves.is_empty() {
            self.games.remove(&number);
        }
        record
    }

    /// Forgets all games, and removes the file.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn discard(&mut self) -> Result<(), JournalError> {
        self.games.clear();
        self.journal = None;
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(JournalError::file("remove", &self.path)(error))
            }
            _ => Ok(()),
        }
    }
}

/// Why a game cannot be resumed.
#[derive(Debug, thiserror::Error)]
enum ResumeError {
    #[error("its beginning is missing")]
    Incomplete,
    #[error(transparent)]
    Moves(#[from] JointMoveError),
}

impl UnfinishedLine {
    /// The rounds of a game from a zero-based index on.
    fn new(engine: &dyn Engine, record: &GameRecord, from: usize) -> Self {
        Self {
            game: record.fixture.number,
            from,
            players: record.players.iter().map(PlayerLine::new).collect(),
            interruptions: record.interruptions,
            moves: joint_move_texts(engine, &record.moves[from..]),
        }
    }

    /// Adds later rounds, unless some before them are missing. A game that began anew
    /// replaces this one.
    fn extend(&mut self, later: Self) {
        if later.from == 0 {
            *self = later;
        } else if later.from <= self.moves.len() {
            self.moves.truncate(later.from);
            self.moves.extend(later.moves);
            self.players = later.players;
            self.interruptions = later.interruptions;
        }
    }

    /// The fixture as far as it was played or, if it cannot be resumed, from the start.
    pub fn record(&self, engine: &mut dyn Engine, fixture: Fixture) -> GameRecord {
        let resumed = self.resume(engine, fixture.clone());
        resumed.unwrap_or_else(|error| {
            tracing::warn!("game {} begins anew: {error}", self.game);
            GameRecord::new(fixture)
        })
    }

    /// The fixture as far as it was played.
    ///
    /// # Errors
    /// If moves are missing or not legal.
    fn resume(&self, engine: &mut dyn Engine, fixture: Fixture) -> Result<GameRecord, ResumeError> {
        let mut record = GameRecord::new(fixture);
        if self.from > 0 || self.players.len() != record.players.len() {
            return Err(ResumeError::Incomplete);
        }
        let mut state = engine.initial();
        for names in &self.moves {
            let position = engine.examine(&state);
            let joint = find_joint_move(engine, &position, names)?;
            state = engine.next(&state, &joint);
            record.moves.push(joint);
        }
        record.players = self.players.iter().map(PlayerLine::report).collect();
        record.interruptions = self.interruptions + 1;
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::tests::configuration;
    use gdl_agent::shared_engine::SharedEngine;
    use gdl_engines::load_builtin;
    use gdl_runtime::lanes::Width;
    use tempfile::TempDir;

    fn tictactoe() -> SharedEngine {
        let engine = load_builtin("tictactoe", Width::W64).expect("it is built in");
        SharedEngine::new(Box::new(engine))
    }

    fn folder() -> TempDir {
        tempfile::tempdir().expect("temporary folders can be made")
    }

    fn open(folder: &TempDir, agents: &[&str]) -> UnfinishedGames {
        let path = folder.path().join("games.jsonl");
        UnfinishedGames::open(&path, &configuration(agents)).expect("it can be opened")
    }

    fn file(folder: &TempDir) -> PathBuf {
        folder.path().join("games.jsonl.under-way")
    }

    fn fixture(game: u64) -> Fixture {
        configuration(&["uct", "random"]).schedule().fixture(game)
    }

    /// A game in which always the first of all moves was made.
    fn record(engine: &mut SharedEngine, game: u64, rounds: usize) -> GameRecord {
        let mut record = GameRecord::new(fixture(game));
        for _ in 0..rounds {
            let state = record.state(engine);
            let legal = engine.examine(&state).legal;
            record
                .moves
                .push(legal.iter().map(|moves| moves[0]).collect());
        }
        record.players[1].simulations = 100 * rounds as u64;
        record
    }

    /// Keeps two games that go on in turns; gives the longer one.
    fn keep_two(folder: &TempDir, engine: &mut SharedEngine) -> GameRecord {
        let mut games = open(folder, &["uct", "random"]);
        for rounds in [1, 3, 4] {
            for (game, ahead) in [(3, 0), (6, 1)] {
                let record = record(engine, game, rounds + ahead);
                games.keep(engine, &record).expect("it can be kept");
            }
        }
        record(engine, 6, 5)
    }

    #[test]
    fn games_go_on_where_they_were_left() {
        let (folder, mut engine) = (folder(), tictactoe());
        assert!(!file(&folder).exists());
        let left = keep_two(&folder, &mut engine);
        let mut games = open(&folder, &["uct", "random"]);
        assert_eq!(games.games().collect::<Vec<u64>>(), [3, 6]);
        let mut resumed = games.resume(&mut engine, fixture(6));
        assert_eq!(resumed.interruptions, 1);
        resumed.interruptions = 0;
        assert_eq!(resumed, left);
        let unknown = games.resume(&mut engine, fixture(4));
        assert_eq!(unknown, GameRecord::new(fixture(4)));

        // What was kept by now belongs to the game that goes on.
        let longer = record(&mut engine, 6, 6);
        games.keep(&engine, &longer).expect("it can be kept");
        let mut games = open(&folder, &["uct", "random"]);
        assert_eq!(games.resume(&mut engine, fixture(6)).moves, longer.moves);
    }

    #[test]
    fn any_part_of_a_file_is_a_beginning() {
        let (folder, mut engine) = (folder(), tictactoe());
        let left = keep_two(&folder, &mut engine);
        let whole = std::fs::read(file(&folder)).expect("it can be read");
        let mut last = 0;
        for cut in 0..=whole.len() {
            std::fs::write(file(&folder), &whole[..cut]).expect("it can be written");
            let mut games = open(&folder, &["uct", "random"]);
            let rounds = games.resume(&mut engine, fixture(6)).moves.len();
            assert!(
                [0, 2, 4, 5].contains(&rounds) && rounds >= last,
                "cut at {cut}"
            );
            last = rounds;
        }
        assert_eq!(last, left.moves.len());
    }

    #[test]
    fn a_game_that_begins_anew_replaces_what_was_kept_of_it() {
        let (folder, mut engine) = (folder(), tictactoe());
        keep_two(&folder, &mut engine);
        let text = std::fs::read_to_string(file(&folder)).expect("it can be read");
        let without_first = |game| {
            let is_first = format!("{{\"game\":{game},\"from\":0,");
            let lines = text.lines().filter(|line| !line.starts_with(&is_first));
            lines.collect::<Vec<&str>>().join("\n") + "\n"
        };
        for damaged in [
            text.replacen("(mark 1 2)", "(mark 1 1)", 1),
            without_first(6),
        ] {
            assert_ne!(damaged, text);
            std::fs::write(file(&folder), &damaged).expect("it can be written");
            let mut games = open(&folder, &["uct", "random"]);
            assert_eq!(games.resume(&mut engine, fixture(6)).moves.len(), 0);
            for rounds in [1, 2] {
                let record = record(&mut engine, 6, rounds);
                games.keep(&engine, &record).expect("it can be kept");
            }
            let mut games = open(&folder, &["uct", "random"]);
            assert_eq!(games.resume(&mut engine, fixture(6)).moves.len(), 2);
        }
    }

    #[test]
    fn other_contests_and_wrong_moves_are_not_taken_up() {
        let (folder, mut engine) = (folder(), tictactoe());
        keep_two(&folder, &mut engine);
        let text = std::fs::read_to_string(file(&folder)).expect("it can be read");

        let wrong = text.replacen("(mark 1 2)", "(mark 1 1)", 1);
        assert_ne!(wrong, text);
        std::fs::write(file(&folder), &wrong).expect("it can be written");
        let mut games = open(&folder, &["uct", "random"]);
        let rounds = [3, 6].map(|game| games.resume(&mut engine, fixture(game)).moves.len());
        assert_eq!(rounds, [4, 0]);

        // The line of game 3 in the middle is lost, and what follows with it.
        let lines: Vec<&str> = text.lines().collect();
        let gap = [&lines[..3], &lines[4..]].concat().join("\n") + "\n";
        std::fs::write(file(&folder), gap).expect("it can be written");
        let mut games = open(&folder, &["uct", "random"]);
        let rounds = [3, 6].map(|game| games.resume(&mut engine, fixture(game)).moves.len());
        assert_eq!(rounds, [1, 5]);

        let other = open(&folder, &["uct", "uct"]);
        assert_eq!(other.games().count(), 0);
        assert!(!file(&folder).exists());
    }
}
