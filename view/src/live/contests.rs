//! Contests on a feed: boards of games in play, and how the contests stand.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use gdl_contests::configuration::ContestConfiguration;
use gdl_contests::contest_observer::ContestObserver;
use gdl_contests::journal::{GameLine, StoredContest};
use gdl_contests::report::cross_table::CrossTable;
use gdl_contests::runner::GameProgress;
use gdl_contests::summary::ContestSummary;
use gdl_runtime::moves::joint_move_names;

use super::feed::LiveFeed;
use super::game::{LiveGame, LiveMatch, LiveState};
use super::places::MatchKey;
use crate::messages::{AgentScore, ScoresEvent, StandingsEvent};

/// Once figures have been computed, games are only counted for this many times as long as that
/// took, so that figures take at most 2 % of a core, however many games there are.
const REST: u32 = 50;

/// All contests of a run on a feed.
pub struct LiveContests {
    feed: LiveFeed,
    requested: u64,
    done: AtomicU64,
    standings: Mutex<Standings>,
}

/// The figures of contests, by their keys.
struct Standings {
    summaries: BTreeMap<u64, ContestSummary>,
    /// No figures are computed before this.
    rests_until: Instant,
}

/// Contests in one game that are played together, on a feed.
pub struct LiveGroup<'a> {
    all: &'a LiveContests,
    game: Arc<LiveGame>,
    /// The key of the first of these contests.
    first: u64,
    configurations: OnceLock<Vec<ContestConfiguration>>,
}

impl LiveContests {
    /// A run with `requested` games in all, those of earlier runs included.
    #[must_use]
    pub fn new(feed: LiveFeed, requested: u64) -> Self {
        Self {
            feed,
            requested,
            done: AtomicU64::new(0),
            standings: Mutex::new(Standings {
                summaries: BTreeMap::new(),
                rests_until: Instant::now(),
            }),
        }
    }

    /// The contests that are played together next, in this game, after the first `first` contests
    /// of the run.
    #[must_use]
    pub fn group(&self, game: Arc<LiveGame>, first: usize) -> LiveGroup<'_> {
        LiveGroup {
            all: self,
            game,
            first: first as u64,
            configurations: OnceLock::new(),
        }
    }

    fn standings(&self) -> MutexGuard<'_, Standings> {
        self.standings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the figures of these contests, by their keys.
    fn summarise<'s>(&self, contests: impl Iterator<Item = (u64, &'s StoredContest)>) {
        let mut standings = self.standings();
        let begun = Instant::now();
        let summaries = contests.map(|(key, stored)| (key, ContestSummary::new(stored, u64::MAX)));
        standings.summaries.extend(summaries);
        let done = self.done.load(Ordering::Relaxed);
        self.feed
            .show_standings(standings.event(done, self.requested));
        standings.rests_until = begun + begun.elapsed() * REST;
    }
}

impl Standings {
    fn event(&self, done: u64, requested: u64) -> StandingsEvent {
        let summaries: Vec<&ContestSummary> = self.summaries.values().collect();
        let others = summaries.iter().filter(|summary| summary.agents.len() != 2);
        StandingsEvent {
            done,
            requested,
            tables: CrossTable::all(&summaries),
            scores: others.map(|summary| scores(summary)).collect(),
        }
    }
}

fn scores(summary: &ContestSummary) -> ScoresEvent {
    let agents = summary.agents.iter().map(|own| AgentScore {
        agent: own.agent.clone(),
        score: own.score,
        lower: own.lower,
        upper: own.upper,
        illegal: own.illegal,
        overruns: own.overruns,
    });
    ScoresEvent {
        game: summary.game.clone(),
        conditions: summary.conditions(),
        agents: agents.collect(),
    }
}

impl LiveGroup<'_> {
    fn summarise(&self, contests: &[&StoredContest]) {
        let keys = (0..).map(|contest| self.key(contest));
        self.all.summarise(keys.zip(contests.iter().copied()));
    }

    fn key(&self, contest: usize) -> u64 {
        self.first + contest as u64
    }

    fn begin(&self, contest: usize, progress: &GameProgress<'_>) -> LiveMatch {
        let fixture = progress.fixture;
        let known = self.configurations.get().and_then(|all| all.get(contest));
        let player = |&agent: &usize| known.map(|known| known.agents[agent].clone());
        let players = fixture
            .agents
            .iter()
            .map(|agent| player(agent).unwrap_or_default());
        let title = format!("{}, game {}", self.game.name(), fixture.number + 1);
        LiveMatch::new(&self.game, title, players.collect())
    }
}

impl ContestObserver for LiveGroup<'_> {
    fn found(&self, contests: &[&StoredContest], games: u64) {
        let configurations = contests.iter().map(|stored| stored.configuration.clone());
        self.configurations.get_or_init(|| configurations.collect());
        self.all.done.fetch_add(games, Ordering::Relaxed);
        self.summarise(contests);
    }

    fn reached(&self, contest: usize, progress: &GameProgress<'_>) {
        let Some(engine) = self.game.engine() else {
            return;
        };
        let key = MatchKey {
            source: self.key(contest),
            number: progress.fixture.number,
        };
        let change = |shown: &mut LiveMatch| {
            let led_by = match progress.led_by {
                [] => Vec::new(),
                joint => joint_move_names(engine, joint),
            };
            let state = LiveState::Numbered(engine.clone(), progress.state.clone());
            shown.reach(progress.rounds, state, led_by);
        };
        self.all
            .feed
            .show(key, || self.begin(contest, progress), change);
    }

    fn finished(&self, contest: usize, stored: &StoredContest, game: &GameLine) {
        let key = MatchKey {
            source: self.key(contest),
            number: game.game,
        };
        self.all.feed.amend(key, |shown| {
            shown.goals.clone_from(&game.goals);
            if !game.terminal {
                shown.ending = Some("given up as too long".to_owned());
            }
        });
        let done = self.all.done.fetch_add(1, Ordering::Relaxed) + 1;
        if Instant::now() < self.all.standings().rests_until {
            self.all.feed.show_done(done);
        } else {
            self.all.summarise([(key.source, stored)].into_iter());
        }
    }

    fn concluded(&self, contests: &[&StoredContest]) {
        self.summarise(contests);
    }
}
