//! Self-play on several threads, each with a machine and games of its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Lanes, State};
use gdl_runtime::features::FeatureSet;
use gdl_runtime::layout::Layout;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::network_pair::NetworkPair;
use super::quantised::QuantisedNetwork;
use super::samples::Samples;
use super::search_play::{Lessons, SearchPlay};
use super::self_play::{SelfPlay, SelfPlayReport};
use super::symmetries::GameSymmetries;
use crate::expander::{Expander, Positions};

/// The number of games whose samples are replaced by images at a time.
const GAMES_AT_A_TIME: u64 = 400;

/// How moves are chosen, and what becomes of the states that are learned from.
#[derive(Clone, Copy)]
pub(super) struct PlayingStyle<'a> {
    /// Moves are random without networks.
    pub(super) networks: Option<NetworkPair<'a>>,
    /// Whether searches by the first network choose the moves, by workers that can search.
    pub(super) searches: bool,
    pub(super) symmetries: &'a GameSymmetries,
}

impl<'a> PlayingStyle<'a> {
    /// Moves are chosen by these networks.
    pub(super) fn of(networks: NetworkPair<'a>, symmetries: &'a GameSymmetries) -> Self {
        Self {
            networks: Some(networks),
            searches: false,
            symmetries,
        }
    }

    /// Moves are chosen by searches with a network.
    pub(super) fn of_searches(
        network: &'a QuantisedNetwork,
        symmetries: &'a GameSymmetries,
    ) -> Self {
        Self {
            searches: true,
            ..Self::of([network; 2], symmetries)
        }
    }
}

/// Whether a worker plays on, given what it has played since its games were last taken.
pub(super) type PlaysOn<'a> = &'a (dyn Fn(&SelfPlayReport) -> bool + Sync);

/// What was played since it was last asked for.
pub(super) struct PlayedGames {
    pub(super) samples: Samples,
    /// Samples held out of games by searches. Those of other games are held out later.
    pub(super) held: Samples,
    pub(super) report: SelfPlayReport,
    /// The time that it took, all workers' together.
    pub(super) time: Duration,
}

/// One worker or more. The first plays on the thread of the learner, which at other times
/// uses its machine for other things.
pub(super) struct SelfPlayWorkers {
    pub(super) first: SelfPlayWorker,
    others: Vec<SelfPlayWorker>,
}

/// A machine with games of its own.
pub(super) struct SelfPlayWorker {
    pub(super) expander: Expander,
    pub(super) self_play: SelfPlay,
    /// `None` if it cannot search.
    search_play: Option<SearchPlay>,
    pub(super) random: Xoshiro256PlusPlus,
    played: PlayedGames,
}

impl SelfPlayWorkers {
    /// One worker, on the machine of this expander.
    pub(super) fn new(initial: &State, expander: Expander, seed: u64) -> Self {
        Self {
            first: SelfPlayWorker::new(initial, expander, seed),
            others: Vec::new(),
        }
    }

    /// Adds a worker on another machine of the same game.
    pub(super) fn add(&mut self, lanes: Box<dyn Lanes>) {
        let first = &mut self.first;
        let (initial, seed) = (first.self_play.initial(), first.random.random());
        let expander = first.expander.on(lanes);
        let worker = SelfPlayWorker::new(initial, expander, seed);
        self.others.push(worker);
    }

    /// The number of workers.
    pub(super) fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// Lets all of them search, on machines that `lanes` makes by a seed, in the game of this
    /// layout.
    pub(super) fn add_searches(&mut self, layout: &Layout, lanes: impl Fn(u64) -> Box<dyn Lanes>) {
        for (worker, seed) in self.all().zip(0..) {
            let words = worker.expander.words();
            worker.search_play = Some(SearchPlay::new(lanes(seed), words, layout));
        }
    }

    /// Whether they can search.
    pub(super) fn can_search(&self) -> bool {
        self.first.search_play.is_some()
    }

    fn all(&mut self) -> impl Iterator<Item = &mut SelfPlayWorker> {
        std::iter::once(&mut self.first).chain(&mut self.others)
    }

    /// Continues on other machines of the same game.
    pub(super) fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        for (worker, seed) in self.all().zip(0..) {
            worker.expander = worker.expander.on(lanes(seed));
            if let Some(search_play) = &mut worker.search_play {
                search_play.move_to(lanes);
            }
        }
    }

    /// Values states by these features from now on. Games in progress, whose states were recorded
    /// with others, are given up.
    pub(super) fn set_features(&mut self, features: &FeatureSet) {
        self.all().for_each(|worker| worker.self_play.give_up());
        let words = {
            let mut position = Positions::default();
            let SelfPlayWorker {
                expander,
                self_play,
                ..
            } = &mut self.first;
            expander.set_features(features.clone());
            expander.examine(&self_play.initial().0, &mut position);
            position.features(0).len()
        };
        for worker in self.all() {
            worker.expander.set_features(features.clone());
            worker.played = PlayedGames::none(words, worker.expander.roles());
        }
    }

    /// All workers play until `plays_on` says no.
    pub(super) fn play(&mut self, style: PlayingStyle<'_>, plays_on: PlaysOn<'_>) {
        let Self { first, others } = self;
        thread::scope(|scope| {
            for worker in others {
                scope.spawn(move || worker.play(style, plays_on));
            }
            first.play(style, plays_on);
        });
    }

    /// All workers but the first play while `work` is done, at most until `plays_on` says no.
    pub(super) fn play_during(
        &mut self,
        style: PlayingStyle<'_>,
        plays_on: PlaysOn<'_>,
        work: impl FnOnce(),
    ) {
        let is_done = AtomicBool::new(false);
        let both = |report: &SelfPlayReport| !is_done.load(Ordering::Relaxed) && plays_on(report);
        let both: PlaysOn<'_> = &both;
        thread::scope(|scope| {
            for worker in &mut self.others {
                scope.spawn(move || worker.play(style, both));
            }
            work();
            is_done.store(true, Ordering::Relaxed);
        });
    }

    /// What all workers have played since this was last called.
    pub(super) fn take_played(&mut self) -> PlayedGames {
        let mut all = self.first.take_played();
        for worker in &mut self.others {
            all.add(&worker.take_played());
        }
        all
    }
}

impl SelfPlayWorker {
    fn new(initial: &State, expander: Expander, seed: u64) -> Self {
        Self {
            self_play: SelfPlay::new(initial, &expander),
            search_play: None,
            played: PlayedGames::none(expander.words(), expander.roles()),
            expander,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    fn play(&mut self, style: PlayingStyle<'_>, plays_on: PlaysOn<'_>) {
        let begun = Instant::now();
        let mut search_play = self.search_play.as_mut().filter(|_| style.searches);
        if let (Some(search_play), Some([network, _])) = (&mut search_play, style.networks) {
            let features = self.expander.features().cloned();
            search_play.set_network(network.clone(), features.unwrap_or_default());
        }
        let PlayedGames {
            samples,
            held,
            report,
            ..
        } = &mut self.played;
        while plays_on(report) {
            let (before, first) = (*report, samples.len());
            let is_enough = |now: &SelfPlayReport| now.games >= GAMES_AT_A_TIME;
            let goes_on =
                &mut |now: &SelfPlayReport| !is_enough(now) && plays_on(&before.plus(now));
            let (expander, random) = (&mut self.expander, &mut self.random);
            let now = match &mut search_play {
                Some(search_play) => {
                    let lessons = &mut Lessons {
                        learned: samples,
                        held,
                    };
                    search_play.play(expander, &self.self_play, lessons, random, goes_on)
                }
                None => (self.self_play).play(expander, style.networks, samples, random, goes_on),
            };
            *report = before.plus(&now);
            style
                .symmetries
                .exchange(samples, first, &mut self.expander, &mut self.random);
        }
        self.played.time += begun.elapsed();
    }

    fn take_played(&mut self) -> PlayedGames {
        let none = PlayedGames::none(self.played.samples.words(), self.expander.roles());
        mem::replace(&mut self.played, none)
    }
}

impl PlayedGames {
    fn none(words: usize, roles: usize) -> Self {
        Self {
            samples: Samples::new(words, roles),
            held: Samples::new(words, roles),
            report: SelfPlayReport::default(),
            time: Duration::ZERO,
        }
    }

    fn add(&mut self, other: &Self) {
        self.samples.append(&other.samples);
        self.held.append(&other.held);
        self.report = self.report.plus(&other.report);
        self.time += other.time;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashMap;
    use std::path::Path;
    use std::sync::atomic::AtomicU64;

    use gdl_engines::{EngineKind, EngineOptions};
    use gdl_runtime::engine::Engine;
    use gdl_runtime::stop_flag::StopFlag;

    use super::*;
    use crate::learning::Learner;
    use crate::learning::network::{ValueHeads, ValueNetwork};

    fn tictactoe() -> Box<dyn Engine> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tictactoe.kif");
        let loaded = gdl_engines::open(&path, EngineKind::Net, &EngineOptions::default());
        loaded.unwrap().engine
    }

    /// Three workers that play Tic-Tac-Toe.
    fn workers() -> SelfPlayWorkers {
        let engine = tictactoe();
        let initial = engine.initial();
        let expander = Expander::new(engine.lanes(0), initial.0.len());
        let mut workers = SelfPlayWorkers::new(&initial, expander, gdl_testing::seed());
        workers.add(engine.lanes(1));
        workers.add(engine.lanes(2));
        workers
    }

    const RANDOM: PlayingStyle<'_> = PlayingStyle {
        networks: None,
        searches: false,
        symmetries: &GameSymmetries::NONE,
    };

    #[test]
    fn all_workers_play_games_of_their_own() {
        let mut workers = workers();
        workers.play(RANDOM, &|report| report.games < 500);
        let played = workers.all().map(|worker| &worker.played);
        let samples: Vec<Samples> = played.map(|played| played.samples.clone()).collect();
        let states = |samples: &Samples| -> Vec<Vec<u64>> {
            let indices = 0..samples.len().min(100);
            indices.map(|at| samples.features(at).to_vec()).collect()
        };
        assert_ne!(states(&samples[0]), states(&samples[1]));
        assert_ne!(states(&samples[1]), states(&samples[2]));

        let all = workers.take_played();
        assert!(all.report.games >= 1500, "{:?}", all.report);
        let count: usize = samples.iter().map(Samples::len).sum();
        assert_eq!(all.samples.len(), count);
        assert_eq!(workers.take_played().report, SelfPlayReport::default());
    }

    /// Of games of five to nine moves, those that are cut off after four never end unless
    /// they go on.
    #[test]
    fn unfinished_games_go_on() {
        let mut workers = workers();
        for _ in 0..3 {
            let plies = workers.first.played.report.plies;
            let games = workers.first.self_play.games() as u64;
            workers.play(RANDOM, &|report| report.plies < plies + 4 * games);
        }
        let report = workers.first.played.report;
        assert!(report.games > 0, "{report:?}");
    }

    /// All states of random games are learned from, the initial one of each game too. By a
    /// network, seven of eight games begin with random moves.
    #[test]
    fn nothing_is_learned_from_states_before_random_moves() {
        let mut workers = workers();
        let features = 64 * workers.first.played.samples.words();
        let heads = ValueHeads::PerRole(2);
        let network = ValueNetwork::new(features, heads, &mut workers.first.random);
        let network = QuantisedNetwork::new(&network, 1.0);
        let by_network = PlayingStyle {
            networks: Some([&network; 2]),
            ..RANDOM
        };
        let mut initial_states = |style| {
            workers.play(style, &|report| report.games < 1000);
            let played = workers.take_played();
            let samples = &played.samples;
            let mut counts = HashMap::new();
            for index in 0..samples.len() {
                *counts.entry(samples.features(index)).or_insert(0) += 1;
            }
            let most = counts.values().copied().max().unwrap();
            (most, played.report.games)
        };
        let (most, games) = initial_states(RANDOM);
        assert_eq!(most, games);
        let (most, games) = initial_states(by_network);
        assert!(most < games / 4, "{most} of {games}");
    }

    /// Of two networks that play each other, the better one has most of the goals, whichever is
    /// the first; one that plays itself has half of them.
    #[test]
    fn better_networks_have_more_of_the_goals() {
        let engine = tictactoe();
        let (initial, layout) = (engine.initial(), engine.layout().unwrap());
        let seed = gdl_testing::seed();
        let mut learner = Learner::new(engine.lanes(1), &initial, &layout, seed).unwrap();
        learner.learn(
            Duration::from_millis(500),
            &StopFlag::default(),
            &mut |_| (),
        );
        let better = learner.network().unwrap();
        let mut workers = workers();
        workers.set_features(&learner.features());
        let features = 64 * workers.first.played.samples.words();
        let heads = better.heads();
        let blank = ValueNetwork::new(features, heads, &mut workers.first.random);
        let blank = QuantisedNetwork::new(&blank, 1.0);
        let mut score = |networks| {
            let style = PlayingStyle {
                networks: Some(networks),
                ..RANDOM
            };
            workers.play(style, &|report| report.games < 5000);
            workers.take_played().report.score_of_first()
        };
        let scores = [[&better, &blank], [&blank, &better], [&better, &better]].map(&mut score);
        assert!(scores[0] > 0.6 && scores[1] < 0.4, "{scores:?}");
        assert!((scores[2] - 0.5).abs() < 0.03, "{scores:?}");
    }

    /// Workers that search, and a network that knows nothing.
    fn searching_workers() -> (SelfPlayWorkers, QuantisedNetwork) {
        let engine = tictactoe();
        let mut workers = workers();
        let features = 64 * workers.first.played.samples.words();
        let heads = ValueHeads::ConstantSum;
        let network = ValueNetwork::new(features, heads, &mut workers.first.random);
        workers.add_searches(&engine.layout().unwrap(), |seed| engine.lanes(seed));
        (workers, QuantisedNetwork::new(&network, 1.0))
    }

    /// Searches by a network that knows nothing find what moves lead to: what is learned is worth
    /// more than one half of the goals to one role and less to the other where one wins by force.
    /// Games that are held out have real results, one in 16 of them.
    #[test]
    fn values_of_searches_are_learned_and_results_held_out() {
        let (mut workers, network) = searching_workers();
        let symmetries = GameSymmetries::NONE;
        let style = PlayingStyle::of_searches(&network, &symmetries);
        workers.play(style, &|report| report.games < 400);
        let played = workers.take_played();
        assert!(played.report.games >= 1200);

        let all = &played.samples;
        let decided = (0..all.len()).filter(|&index| all.targets(index).contains(&1.0));
        let decided = decided.count();
        assert!(decided > 0 && decided < all.len(), "{decided}");
        for index in 0..all.len() {
            let sum: f32 = all.targets(index).iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{:?}", all.targets(index));
        }

        let held = &played.held;
        let results: Vec<&[f32]> = (0..held.len()).map(|index| held.results(index)).collect();
        let possible = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]];
        assert!(
            results
                .iter()
                .all(|&it| possible.iter().any(|one| it == one))
        );
        // Games of one to nine moves; one in 16, by more than six standard deviations.
        let games = played.report.games as usize;
        assert!(held.len() > games / 16 / 4, "{} of {games}", held.len());
        assert!(held.len() < 9 * games / 16 * 2, "{} of {games}", held.len());
    }

    #[test]
    fn unfinished_games_by_searches_go_on() {
        let (mut workers, network) = searching_workers();
        let symmetries = GameSymmetries::NONE;
        let style = PlayingStyle::of_searches(&network, &symmetries);
        for _ in 0..40 {
            let plies = workers.first.played.report.plies;
            workers.play(style, &|report| report.plies < plies + 1);
        }
        let report = workers.first.played.report;
        assert!(report.games > 0, "{report:?}");
    }

    #[test]
    fn the_others_play_while_the_first_works() {
        let mut workers = workers();
        let seen = AtomicU64::new(0);
        let plays_on = |report: &SelfPlayReport| {
            seen.fetch_max(report.games, Ordering::Relaxed);
            true
        };
        workers.play_during(RANDOM, &plays_on, || {
            while seen.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
        });
        let games: Vec<u64> = (workers.all())
            .map(|worker| worker.take_played().report.games)
            .collect();
        assert_eq!(games[0], 0);
        assert!(games[1] + games[2] > 0, "{games:?}");
    }
}
