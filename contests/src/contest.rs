//! Playing the games of a contest that its journal lacks.

use crate::contest_game::ContestGame;
use crate::game_record::{FinishedGame, GameRecord};
use crate::journal::{ContestStore, GameLine};
use crate::match_records::MatchRecordFolder;
use crate::options::RunOptions;
use crate::progress::Progress;
use crate::runner::{GameEvent, Runner, RunnerOptions, with_runner};
use crate::sequential_test::SequentialTest;
use crate::summary::ContestSummary;
use anyhow::Context as _;
use gdl_agent::shared_engine::SharedEngine;
use gdl_network::host::PlayerSpec;
use std::ops::{ControlFlow, Range};

/// Games at a time on a thread where a test may stop early: those that have begun
/// when it does are lost.
const BOARDS_OF_A_TEST: usize = 32;

impl ContestGame {
    /// Plays those games that the contests' stores lack, all on the same configuration but
    /// for the agents, until a sequential test of the first contest is decided if
    /// there is one. They are played together, since a machine has room for more
    /// games than one contest may have. Every game is in its store before the next
    /// one is heard of.
    ///
    /// # Errors
    /// If the rules leave a role without a move, or a game cannot be kept.
    pub fn play(
        &self,
        contests: &mut [Contest<'_>],
        options: &RunOptions,
        sequential: Option<&mut SequentialTest>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        // Once a test is decided no other game is wanted.
        let is_test = sequential.is_some();
        self.play_missing(contests, options, sequential, progress)?;
        let stores = contests.iter_mut().map(|contest| &mut contest.store);
        let mut done = stores.filter(|store| is_test || !store.is_waiting());
        done.try_for_each(|store| store.unfinished.discard())
    }

    fn play_missing(
        &self,
        contests: &mut [Contest<'_>],
        options: &RunOptions,
        sequential: Option<&mut SequentialTest>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let Some(configuration) = contests
            .first()
            .map(|first| first.store.stored.configuration.clone())
        else {
            return Ok(());
        };
        let PendingGames {
            agents,
            games,
            places,
        } = PendingGames::of(contests, &self.engine);
        let asked: u64 = contests.iter().map(Contest::asked).sum();
        progress.skip(asked - games.len() as u64);
        let mut keeper = ContestRecorder {
            records: options
                .records
                .as_deref()
                .map(MatchRecordFolder::open)
                .transpose()?,
            engine: &self.engine,
            ledger: GameStores { contests, places },
            sequential,
            progress,
        };
        if games.is_empty() || keeper.look().is_break() {
            return Ok(());
        }
        let boards = match keeper.sequential {
            Some(_) => BOARDS_OF_A_TEST,
            None => usize::MAX,
        };
        let threads = options.threads(&agents);
        let stop = progress.stop().clone();
        let demand = RunnerOptions::new(threads, boards, configuration.budget, stop);
        let mut waiting = games.into_iter();
        let played = with_runner(&configuration, &agents, self, &demand, |runner| {
            keeper.play(runner, &mut waiting)
        });
        played.with_context(|| format!("{} cannot be played on", self.name))
    }
}

/// A contest to go on with.
pub struct Contest<'a> {
    /// Where its games are kept.
    pub store: ContestStore,
    /// Which games are asked for.
    pub ranges: Vec<Range<u64>>,
    /// Who plays.
    pub agents: &'a [PlayerSpec],
}

impl Contest<'_> {
    fn asked(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum()
    }

    /// The games that are asked for and not there.
    fn missing(&self) -> impl Iterator<Item = u64> {
        let asked = self.ranges.iter().cloned().flatten();
        asked.filter(|number| !self.store.stored.games.contains_key(number))
    }
}

/// What several contests lack, as one list.
struct PendingGames {
    /// The agents of all contests.
    agents: Vec<PlayerSpec>,
    /// The games as far as they have come, each with its place in this list for a
    /// number and numbers of this list for its agents.
    games: Vec<GameRecord>,
    /// What they are by themselves, in the same order.
    places: Vec<GameOrigin>,
}

/// A game of a contest.
struct GameOrigin {
    contest: usize,
    game: u64,
}

impl PendingGames {
    fn of(contests: &[Contest<'_>], engine: &SharedEngine) -> Self {
        let mut engine = engine.clone();
        let (mut agents, mut games, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (index, contest) in contests.iter().enumerate() {
            let schedule = contest.store.stored.configuration.schedule();
            for game in contest.missing() {
                let fixture = schedule.fixture(game);
                let mut record = contest.store.unfinished.resume(&mut engine, fixture);
                record.fixture.number = games.len() as u64;
                let seats = record.fixture.agents.iter_mut();
                seats.for_each(|agent| *agent += agents.len());
                games.push(record);
                places.push(GameOrigin {
                    contest: index,
                    game,
                });
            }
            agents.extend_from_slice(contest.agents);
        }
        Self {
            agents,
            games,
            places,
        }
    }
}

/// Where games that are played together are kept.
struct GameStores<'a, 'b> {
    contests: &'a mut [Contest<'b>],
    /// Of every game that is played.
    places: Vec<GameOrigin>,
}

impl GameStores<'_, '_> {
    /// The store of a game, which gets the numbers that it has in its own contest.
    fn store_of(&mut self, record: &mut GameRecord) -> &mut ContestStore {
        let place = &self.places[record.fixture.number as usize];
        let store = &mut self.contests[place.contest].store;
        record.fixture = store.stored.configuration.schedule().fixture(place.game);
        store
    }
}

/// What happens to games that go on or have ended.
struct ContestRecorder<'a, 'b> {
    ledger: GameStores<'a, 'b>,
    engine: &'a SharedEngine,
    records: Option<MatchRecordFolder>,
    sequential: Option<&'a mut SequentialTest>,
    progress: &'a Progress,
}

impl ContestRecorder<'_, '_> {
    /// Plays games and keeps what comes out.
    fn play(
        &mut self,
        runner: &mut dyn Runner,
        games: &mut dyn Iterator<Item = GameRecord>,
    ) -> anyhow::Result<()> {
        let mut kept = Ok(());
        let played = runner.play(games, &mut |news| match self.hear(news) {
            Ok(flow) => flow,
            Err(error) => {
                kept = Err(error);
                ControlFlow::Break(())
            }
        });
        kept?;
        Ok(played?)
    }

    fn hear(&mut self, news: GameEvent) -> anyhow::Result<ControlFlow<()>> {
        match news {
            GameEvent::Advanced(mut record) => {
                let store = self.ledger.store_of(&mut record);
                store.unfinished.keep(self.engine, &record)?;
                Ok(ControlFlow::Continue(()))
            }
            GameEvent::Finished(played) => self.keep(played),
        }
    }

    fn keep(&mut self, mut played: FinishedGame) -> anyhow::Result<ControlFlow<()>> {
        let store = self.ledger.store_of(&mut played.record);
        let line = GameLine::new(self.engine, &played);
        if let Some(records) = &self.records {
            let mut engine = self.engine.clone();
            records.write(&mut engine, &store.stored.configuration, &played)?;
        }
        store.append(line)?;
        self.progress.advance();
        if self.progress.is_seen() {
            self.progress
                .show(&ContestSummary::new(&store.stored, u64::MAX));
        }
        Ok(self.look())
    }

    /// Whether the test goes on.
    fn look(&mut self) -> ControlFlow<()> {
        let test = self.sequential.as_mut();
        match test.and_then(|test| test.look(&self.ledger.contests[0].store.stored)) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
