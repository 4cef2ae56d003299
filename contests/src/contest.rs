//! Playing the games that the journals of contests lack.

use crate::contest_game::ContestGame;
use crate::contest_observer::ContestObserver;
use crate::error::ContestError;
use crate::game_record::{FinishedGame, GameRecord};
use crate::journal::{ContestStore, GameLine, JournalError, StoredContest};
use crate::match_records::MatchRecordFolder;
use crate::options::RunOptions;
use crate::pending_games::{GameOrigin, PendingGames};
use crate::runner::{GameEvent, GameProgress, GameWatch, Runner, RunnerOptions, with_runner};
use crate::sequential_test::SequentialTest;
use gdl_agent::shared_engine::SharedEngine;
use gdl_network::host::PlayerSpec;
use std::ops::{ControlFlow, Range};

/// The number of concurrent games on a thread if a test may stop early: games that are
/// not over when it does are lost.
const TESTED_GAMES_PER_THREAD: usize = 32;

/// A contest to be continued.
pub struct Contest<'a> {
    /// Where its games are kept.
    pub store: ContestStore,
    /// The indices of the games that are asked for.
    pub ranges: Vec<Range<u64>>,
    /// Who plays.
    pub agents: &'a [PlayerSpec],
}

impl Contest<'_> {
    /// The number of games that are asked for.
    fn requested(&self) -> u64 {
        let ranges = self.ranges.iter();
        ranges.map(|range| range.end - range.start).sum()
    }

    /// The indices of games that are asked for and not in the journal.
    fn missing(&self) -> impl Iterator<Item = u64> {
        let requested = self.ranges.iter().cloned().flatten();
        requested.filter(|number| !self.store.stored.games.contains_key(number))
    }
}

/// Plays those games of `contests` that their journals lack, until a sequential test
/// of the first contest is decided, if there is one. All contests are in the same
/// game and have the same configuration except for the agents; they are played
/// together, since a machine has room for more games than one contest may have. Every
/// game is in its journal before the next one is reported.
///
/// # Errors
/// If a game cannot be played or kept.
pub fn play(
    game: &ContestGame,
    contests: &mut [Contest<'_>],
    options: &RunOptions,
    test: Option<&mut SequentialTest>,
    observer: &dyn ContestObserver,
) -> Result<(), ContestError> {
    // Once a test is decided, no other game is wanted.
    let is_test = test.is_some();
    play_missing(game, contests, options, test, observer)?;
    observer.concluded(&stored(contests));
    let stores = contests.iter_mut().map(|contest| &mut contest.store);
    let mut done = stores.filter(|store| is_test || !store.has_unfinished_games());
    Ok(done.try_for_each(|store| store.unfinished.discard())?)
}

fn play_missing(
    game: &ContestGame,
    contests: &mut [Contest<'_>],
    options: &RunOptions,
    test: Option<&mut SequentialTest>,
    observer: &dyn ContestObserver,
) -> Result<(), ContestError> {
    let Some(first) = contests.first() else {
        return Ok(());
    };
    let configuration = first.store.stored.configuration.clone();
    let pending = pending_games(contests, &game.engine);
    let requested: u64 = contests.iter().map(Contest::requested).sum();
    let known = stored(contests);
    observer.found(&known, requested - pending.games.len() as u64);
    let watch = ContestWatch {
        origins: &pending.origins,
        observer,
    };
    let records = options.records.as_deref().map(MatchRecordFolder::open);
    let mut recorder = ContestRecorder {
        records: records.transpose()?,
        engine: &game.engine,
        contests,
        origins: &pending.origins,
        test,
        observer,
    };
    if pending.games.is_empty() || recorder.look().is_break() {
        return Ok(());
    }
    let games_per_thread = match recorder.test {
        Some(_) => TESTED_GAMES_PER_THREAD,
        None => usize::MAX,
    };
    let runner_options = RunnerOptions::new(
        options.threads_for(&pending.agents),
        games_per_thread,
        configuration.budget,
        configuration.idle,
        options.stop.clone(),
    );
    let mut games = pending.games.into_iter();
    with_runner(
        &configuration,
        &pending.agents,
        game,
        &runner_options,
        &watch,
        |runner| recorder.play(runner, &mut games, &game.name),
    )
}

/// The games that several contests lack.
fn pending_games(contests: &mut [Contest<'_>], engine: &SharedEngine) -> PendingGames {
    let mut engine = engine.clone();
    let mut pending = PendingGames::default();
    for contest in contests {
        let schedule = contest.store.stored.configuration.schedule();
        let missing: Vec<u64> = contest.missing().collect();
        let unfinished = &mut contest.store.unfinished;
        let games = missing
            .into_iter()
            .map(|game| unfinished.resume(&mut engine, schedule.fixture(game)));
        pending.add(contest.agents, games);
    }
    pending
}

/// What the journals have.
fn stored<'s>(contests: &'s [Contest<'_>]) -> Vec<&'s StoredContest> {
    contests
        .iter()
        .map(|contest| &contest.store.stored)
        .collect()
}

/// Tells an observer of the games of several contests, each as the contest knows it.
struct ContestWatch<'a> {
    /// By the number of a fixture.
    origins: &'a [GameOrigin],
    observer: &'a dyn ContestObserver,
}

impl GameWatch for ContestWatch<'_> {
    fn reached(&self, progress: &GameProgress<'_>) {
        let origin = &self.origins[progress.fixture.number as usize];
        let progress = GameProgress {
            fixture: &origin.fixture,
            ..*progress
        };
        self.observer.reached(origin.contest, &progress);
    }
}

/// Keeps games that are played together, each in the files of its contest.
struct ContestRecorder<'a, 'b> {
    contests: &'a mut [Contest<'b>],
    /// By the number of a fixture.
    origins: &'a [GameOrigin],
    engine: &'a SharedEngine,
    records: Option<MatchRecordFolder>,
    test: Option<&'a mut SequentialTest>,
    observer: &'a dyn ContestObserver,
}

impl ContestRecorder<'_, '_> {
    /// Plays games and keeps what the runner reports.
    fn play(
        &mut self,
        runner: &mut dyn Runner,
        games: &mut dyn Iterator<Item = GameRecord>,
        name: &str,
    ) -> Result<(), ContestError> {
        let mut kept = Ok(());
        let played = runner.play(games, &mut |event| {
            self.keep(event).unwrap_or_else(|error| {
                kept = Err(error);
                ControlFlow::Break(())
            })
        });
        kept?;
        played.map_err(|source| ContestError::Match {
            game: name.to_owned(),
            source,
        })
    }

    fn keep(&mut self, event: GameEvent) -> Result<ControlFlow<()>, ContestError> {
        match event {
            GameEvent::Advanced(record) => self.keep_unfinished(record)?,
            GameEvent::Finished(game) => {
                self.keep_finished(game)?;
                return Ok(self.look());
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn keep_unfinished(&mut self, mut record: GameRecord) -> Result<(), JournalError> {
        let (_, store) = store_of(self.contests, self.origins, &mut record);
        store.unfinished.keep(self.engine, &record)
    }

    fn keep_finished(&mut self, mut game: FinishedGame) -> Result<(), ContestError> {
        let (contest, store) = store_of(self.contests, self.origins, &mut game.record);
        if let Some(records) = &self.records {
            let mut engine = self.engine.clone();
            records.write(&mut engine, &store.stored.configuration, &game)?;
        }
        let line = GameLine::new(self.engine, &game);
        let number = line.game;
        store.append(line)?;
        if let Some(line) = store.stored.games.get(&number) {
            self.observer.finished(contest, &store.stored, line);
        }
        Ok(())
    }

    /// Whether the test goes on.
    fn look(&mut self) -> ControlFlow<()> {
        let test = self.test.as_mut();
        match test.and_then(|test| test.look(&self.contests[0].store.stored)) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

/// The contest of a game, by its index, and its store; the game gets the fixture that it has
/// there.
fn store_of<'s>(
    contests: &'s mut [Contest<'_>],
    origins: &[GameOrigin],
    record: &mut GameRecord,
) -> (usize, &'s mut ContestStore) {
    let contest = GameOrigin::restore(origins, record).contest;
    (contest, &mut contests[contest].store)
}
