//! The journals of a tournament whose games are played elsewhere.

use super::{BatchError, BatchPart, GameBatch, PlayedGame};
use crate::budget::MoveBudget;
use crate::contest_game::ContestGame;
use crate::journal::{ContestStore, JournalError};
use crate::options::RunOptions;
use crate::runner::{RunnerKind, RunnerOptions};
use crate::summary::ContestSummary;
use crate::tournament::{Pairing, Tournament};
use gdl_engines::{EngineOptions, open_with_rules};
use gdl_runtime::stop_flag::StopFlag;
use std::path::Path;
use std::slice;

/// The number of batches per process, if no size is given: enough to keep all processes busy
/// until the end.
const BATCHES_PER_WORKER: u64 = 4;

/// The least number of interleaved games in a batch, if no size is given.
const FEWEST_GAMES: u64 = 32;

/// The greatest number: with more, trees contend for caches, and a lost machine costs more.
const MOST_GAMES: usize = 256;

/// The contests of a tournament in their journals, open for games that are played elsewhere.
pub struct BatchedTournament {
    contests: Vec<OpenContest>,
    groups: Vec<ContestGroup>,
}

/// A contest in its journal.
struct OpenContest {
    store: ContestStore,
    games: u64,
}

/// Contests whose games can be played together.
struct ContestGroup {
    rules: String,
    /// The index of the first contest, and of the first that is not in the group.
    first: usize,
    end: usize,
}

impl BatchedTournament {
    /// Opens the journals of a tournament in a folder, or begins them.
    ///
    /// # Errors
    /// If a game or an agent cannot be used, or a journal belongs to another contest or process.
    pub fn open(
        tournament: &Tournament,
        folder: &Path,
        options: &RunOptions,
    ) -> Result<Self, BatchError> {
        let mut opened = Self {
            contests: Vec::new(),
            groups: Vec::new(),
        };
        for pairings in tournament.pairings.chunk_by(Pairing::can_join) {
            let Some(pairing) = pairings.first() else {
                continue;
            };
            let kind = tournament.engine;
            let (loaded, rules) = open_with_rules(&pairing.file, kind, &EngineOptions::default())?;
            let game = ContestGame::new(&pairing.file, &rules.text, loaded.engine, kind);
            if matches!(pairing.budget, MoveBudget::Clocks(_)) {
                return Err(BatchError::Hosted { game: game.name });
            }
            let first = opened.contests.len();
            for pairing in pairings {
                let store = pairing.open(&game, tournament.seed, options, folder, None)?;
                opened.contests.push(OpenContest {
                    store,
                    games: pairing.games,
                });
            }
            opened.groups.push(ContestGroup {
                rules: rules.text.clone(),
                first,
                end: opened.contests.len(),
            });
        }
        Ok(opened)
    }

    /// The number of games of all contests.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.contests.iter().map(|contest| contest.games).sum()
    }

    /// How many of them are in the journals.
    #[must_use]
    pub fn recorded(&self) -> u64 {
        let recorded = self.contests.iter().map(OpenContest::recorded);
        recorded.sum()
    }

    /// Deals the games that the journals lack. All games of a group of contests are cut into
    /// batches of `size` games, whatever the journals have; the games that they have are then
    /// left out. A resumed run thus plays the batches that have no recorded game as they would
    /// have been played without the interruption. Without a size, a batch has as many games as a
    /// machine has lanes, but at most 256, and fewer if there would otherwise be too few batches
    /// for `workers` processes.
    #[must_use]
    pub fn batches(&self, size: Option<u64>, workers: u64) -> Vec<GameBatch> {
        let groups = self.groups.iter();
        groups
            .flat_map(|group| {
                let size = size.unwrap_or_else(|| self.batch_size(group, workers));
                self.deal(group, size.max(1))
            })
            .collect()
    }

    fn batch_size(&self, group: &ContestGroup, workers: u64) -> u64 {
        let contests = &self.contests[group.first..group.end];
        let configuration = &contests[0].store.stored.configuration;
        let set = configuration.schedule().set_size();
        if configuration.runner != RunnerKind::Interleaved {
            return set;
        }
        let lanes = EngineOptions::default().width().lanes().min(MOST_GAMES);
        let (budget, idle) = (configuration.budget, configuration.idle);
        let room = RunnerOptions::new(1, lanes, budget, idle, StopFlag::default());
        let games: u64 = contests.iter().map(|contest| contest.games).sum();
        let share = games.div_ceil(workers.max(1) * BATCHES_PER_WORKER);
        let size = (room.games_per_thread as u64).min(share.max(FEWEST_GAMES));
        size.next_multiple_of(set)
    }

    fn deal(&self, group: &ContestGroup, size: u64) -> Vec<GameBatch> {
        let mut batches: Vec<GameBatch> = Vec::new();
        let (mut place, mut last) = (0, None);
        for contest in group.first..group.end {
            let open = &self.contests[contest];
            for number in 0..open.games {
                let cell = Some(place / size);
                place += 1;
                if open.store.stored.games.contains_key(&number) {
                    continue;
                }
                if cell != last {
                    last = cell;
                    batches.push(GameBatch {
                        rules: group.rules.clone(),
                        parts: Vec::new(),
                    });
                }
                if let Some(batch) = batches.last_mut() {
                    open.add_game(contest, number, &mut batch.parts);
                }
            }
        }
        batches
    }

    /// Appends a game to its journal; false if the journal has it already.
    ///
    /// # Errors
    /// If nobody asked for it, or it cannot be written.
    pub fn record(&mut self, played: PlayedGame) -> Result<bool, BatchError> {
        let PlayedGame { contest, line } = played;
        let asked = self
            .contests
            .get_mut(contest)
            .filter(|open| line.game < open.games && line.is_of(&open.store.stored.configuration));
        let Some(open) = asked else {
            let game = line.game;
            return Err(BatchError::ForeignGame { contest, game });
        };
        if open.store.stored.games.contains_key(&line.game) {
            return Ok(false);
        }
        open.store.append(line)?;
        Ok(true)
    }

    /// The results so far, in the order of the contests.
    #[must_use]
    pub fn summaries(&self) -> Vec<ContestSummary> {
        let contests = self.contests.iter();
        let asked = contests.map(|open| {
            let all = 0..open.games;
            open.store.stored.restricted(slice::from_ref(&all))
        });
        asked
            .map(|asked| ContestSummary::new(&asked, u64::MAX))
            .collect()
    }

    /// Removes the files of unfinished games once all of these are over.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn conclude(&mut self) -> Result<(), JournalError> {
        let stores = self.contests.iter_mut().map(|open| &mut open.store);
        let mut done = stores.filter(|store| !store.has_unfinished_games());
        done.try_for_each(|store| store.unfinished.discard())
    }
}

impl OpenContest {
    fn recorded(&self) -> u64 {
        self.store.stored.games.range(..self.games).count() as u64
    }

    /// Adds a game to the parts of a batch.
    fn add_game(&self, contest: usize, number: u64, parts: &mut Vec<BatchPart>) {
        if parts.last().is_none_or(|part| part.contest != contest) {
            parts.push(BatchPart {
                contest,
                configuration: self.store.stored.configuration.clone(),
                games: Vec::new(),
                begun: Vec::new(),
            });
        }
        if let Some(part) = parts.last_mut() {
            part.games.push(number);
            part.begun
                .extend(self.store.unfinished.game(number).cloned());
        }
    }
}
