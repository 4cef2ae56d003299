//! Playing the games of a contest that its journal lacks.

use super::progress::Progress;
use super::record::Records;
use super::sequential::Sequential;
use super::venue::{Demand, VenueKind, with_venue};
use super::{Budget, GameLine, Paper, Store, Summary, Terms, terms};
use anyhow::{Context as _, bail, ensure};
use gdl_agent::contest::{Course, News, Played, SharedEngine, Venue};
use gdl_engines::engines::{self, EngineKind};
use gdl_engines::input;
use gdl_network::host::PlayerSpec;
use gdl_runtime::engine::Engine as _;
use gdlc::source::Source;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is the same for all contests of a command.
#[derive(Debug, Clone, clap::Args)]
pub struct Manner {
    /// Threads to play on; by default as many as there are cores. A seed repeats
    /// games only on the same number of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// With --sims too, give every game a machine for itself, whose searches have
    /// many simulations in flight
    #[arg(long)]
    one_by_one: bool,
    /// Memory for each player's tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub memory: usize,
    /// Rounds after which a game is given up
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub rounds: usize,
    /// Write a record of every game played to this folder, in the JSON of the GGP
    /// base
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
}

impl Manner {
    /// Agents that have threads of their own play one game at a time.
    fn threads(&self, contenders: &[PlayerSpec]) -> usize {
        let cores = || match contenders.iter().any(PlayerSpec::is_parallel) {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, usize::from),
        };
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Games at a time on a thread where a test may stop early: those that have begun
/// when it does are lost.
const BOARDS_OF_A_TEST: usize = 32;

/// A rule sheet, loaded to be played by several agents.
pub struct Game {
    /// Its name without folder and extension.
    pub name: String,
    /// A hash of its rule sheet.
    hash: String,
    /// The rule sheet; none of a game that is built in.
    source: Option<Arc<Source>>,
    /// What all who play it share.
    pub engine: SharedEngine,
    kind: EngineKind,
}

impl Game {
    /// Opens a rule sheet, or the game of that name that is built in.
    ///
    /// # Errors
    /// If there is no such game, or it has errors.
    pub fn open(file: &Path, kind: EngineKind) -> anyhow::Result<Self> {
        if file == Path::new("-") {
            bail!("a contest needs a rule sheet that can be read again, not standard input");
        }
        let engine = engines::open(file, kind, &engines::Options::default())?.engine;
        let source = file.exists().then(|| input::read(file)).transpose()?;
        Ok(Self {
            name: input::stem(file),
            hash: terms::hash_rules(file)?,
            source,
            engine: SharedEngine::new(engine),
            kind,
        })
    }

    /// The rule sheet, which only hosts need; empty if there is none.
    #[must_use]
    pub fn rules(&self) -> &str {
        self.source.as_ref().map_or("", |source| &source.text)
    }

    /// The terms of a contest in this game.
    ///
    /// # Errors
    /// If it has fewer roles than there are agents, but for games of one role, or
    /// players elsewhere cannot play it.
    pub fn terms(
        &self,
        agents: &[PlayerSpec],
        budget: Budget,
        seed: u64,
        manner: &Manner,
        paper: Option<Paper>,
    ) -> anyhow::Result<Terms> {
        let roles = self.engine.roles().to_vec();
        if roles.len() > 1 && agents.len() > roles.len() {
            bail!(
                "{} has {} roles: {} agents cannot meet in it; gdl tournament lets them meet in pairs",
                self.name,
                roles.len(),
                agents.len()
            );
        }
        if agents.iter().any(|agent| agent.address().is_some()) {
            self.check_network(agents, budget)?;
        }
        let venue = match (VenueKind::of(agents, budget), manner.one_by_one) {
            (VenueKind::SideBySide, true) => VenueKind::OneByOne,
            (kind, _) => kind,
        };
        Ok(Terms {
            game: self.name.clone(),
            rules: self.hash.clone(),
            roles,
            agents: agents.iter().map(ToString::to_string).collect(),
            budget,
            seed,
            engine: self.kind.to_string(),
            venue,
            rounds: manner.rounds,
            memory: manner.memory,
            paper,
        })
    }

    /// Whether this game can be hosted for players elsewhere.
    fn check_network(&self, contenders: &[PlayerSpec], budget: Budget) -> anyhow::Result<()> {
        let roles = self.engine.roles().len();
        ensure!(
            matches!(budget, Budget::Clocks(_)),
            "players elsewhere play by clocks: give a start clock and a play clock, \
             not simulations or time"
        );
        ensure!(
            self.source.is_some(),
            "players elsewhere need the rule sheet of {}, not its name",
            self.name
        );
        let twice = |(index, one): (usize, &PlayerSpec)| {
            let before = contenders[..index].iter();
            one.address().is_some() && before.clone().any(|other| other.address() == one.address())
        };
        ensure!(
            !contenders.iter().enumerate().any(twice) && roles <= contenders.len().max(1),
            "{} has {roles} roles, and a player elsewhere plays one of them at a time",
            self.name
        );
        Ok(())
    }

    /// Plays those games that the contests' stores lack, all on the same terms but
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
        manner: &Manner,
        sequential: Option<&mut Sequential>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        // Once a test is decided no other game is wanted.
        let is_test = sequential.is_some();
        self.play_missing(contests, manner, sequential, progress)?;
        let stores = contests.iter_mut().map(|contest| &mut contest.store);
        let mut done = stores.filter(|store| is_test || !store.is_waiting());
        done.try_for_each(|store| store.under_way.discard())
    }

    fn play_missing(
        &self,
        contests: &mut [Contest<'_>],
        manner: &Manner,
        sequential: Option<&mut Sequential>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let Some(terms) = contests
            .first()
            .map(|first| first.store.stored.terms.clone())
        else {
            return Ok(());
        };
        let Together {
            agents,
            games,
            places,
        } = Together::of(contests, &self.engine);
        let asked: u64 = contests.iter().map(Contest::asked).sum();
        progress.skip(asked - games.len() as u64);
        let mut keeper = Keeper {
            records: manner.records.as_deref().map(Records::open).transpose()?,
            engine: &self.engine,
            ledger: Ledger { contests, places },
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
        let threads = manner.threads(&agents);
        let interrupt = progress.interrupt().clone();
        let demand = Demand::new(threads, boards, terms.budget, interrupt);
        let mut waiting = games.into_iter();
        let played = with_venue(&terms, &agents, self, &demand, |venue| {
            keeper.play(venue, &mut waiting)
        });
        played.with_context(|| format!("{} cannot be played on", self.name))
    }
}

/// A contest to go on with.
pub struct Contest<'a> {
    /// Where its games are kept.
    pub store: Store,
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
struct Together {
    /// The agents of all contests.
    agents: Vec<PlayerSpec>,
    /// The games as far as they have come, each with its place in this list for a
    /// number and numbers of this list for its agents.
    games: Vec<Course>,
    /// What they are by themselves, in the same order.
    places: Vec<Place>,
}

/// A game of a contest.
struct Place {
    contest: usize,
    game: u64,
}

impl Together {
    fn of(contests: &[Contest<'_>], engine: &SharedEngine) -> Self {
        let mut engine = engine.clone();
        let (mut agents, mut games, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (index, contest) in contests.iter().enumerate() {
            let schedule = contest.store.stored.terms.schedule();
            for game in contest.missing() {
                let fixture = schedule.fixture(game);
                let mut course = contest.store.under_way.resume(&mut engine, fixture);
                course.fixture.number = games.len() as u64;
                let seats = course.fixture.seats.iter_mut();
                seats.for_each(|agent| *agent += agents.len());
                games.push(course);
                places.push(Place {
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
struct Ledger<'a, 'b> {
    contests: &'a mut [Contest<'b>],
    /// Of every game that is played.
    places: Vec<Place>,
}

impl Ledger<'_, '_> {
    /// The store of a game, which gets the numbers that it has in its own contest.
    fn store_of(&mut self, course: &mut Course) -> &mut Store {
        let place = &self.places[course.fixture.number as usize];
        let store = &mut self.contests[place.contest].store;
        course.fixture = store.stored.terms.schedule().fixture(place.game);
        store
    }
}

/// What happens to games that go on or have ended.
struct Keeper<'a, 'b> {
    ledger: Ledger<'a, 'b>,
    engine: &'a SharedEngine,
    records: Option<Records>,
    sequential: Option<&'a mut Sequential>,
    progress: &'a Progress,
}

impl Keeper<'_, '_> {
    /// Plays games and keeps what comes out.
    fn play(
        &mut self,
        venue: &mut dyn Venue,
        games: &mut dyn Iterator<Item = Course>,
    ) -> anyhow::Result<()> {
        let mut kept = Ok(());
        let played = venue.play(games, &mut |news| match self.hear(news) {
            Ok(flow) => flow,
            Err(error) => {
                kept = Err(error);
                ControlFlow::Break(())
            }
        });
        kept?;
        Ok(played?)
    }

    fn hear(&mut self, news: News) -> anyhow::Result<ControlFlow<()>> {
        match news {
            News::UnderWay(mut course) => {
                let store = self.ledger.store_of(&mut course);
                store.under_way.keep(self.engine, &course)?;
                Ok(ControlFlow::Continue(()))
            }
            News::Ended(played) => self.keep(played),
        }
    }

    fn keep(&mut self, mut played: Played) -> anyhow::Result<ControlFlow<()>> {
        let store = self.ledger.store_of(&mut played.course);
        let line = GameLine::new(self.engine, &played);
        if let Some(records) = &self.records {
            let mut engine = self.engine.clone();
            records.write(&mut engine, &store.stored.terms, &played)?;
        }
        store.append(line)?;
        self.progress.advance();
        if self.progress.is_seen() {
            self.progress.show(&Summary::new(&store.stored, u64::MAX));
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
