//! The learner: rounds of self-play and training within a time.
//!
//! Random games come first, since a network that knows nothing plays no better. Then
//! rounds follow in which the network plays itself and is fitted to the results of the
//! last rounds, and then, where roles take turns, rounds in which searches by the network
//! choose the moves and what they find is learned. How long each of these takes is in
//! `schedule`.

use std::time::{Duration, Instant};

use gdl_runtime::engine::{Lanes, Role, State};
use gdl_runtime::features::FeatureSet;
use gdl_runtime::layout::Layout;
use gdl_runtime::reachability::{ReachabilityFinder, ReachabilityProgram};
use gdl_runtime::stop_flag::StopFlag;
use gdl_runtime::symmetry::SymmetryFinder;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::fitting::NetworkFitting;
use super::learned::LearnedNetwork;
use super::network::{MAX_HEADS, ValueHeads, ValueNetwork};
use super::patterns::{FluentNames, PatternFinder};
use super::quantised::QuantisedNetwork;
use super::rival::Rival;
use super::round::{BurstSums, LearningRound};
use super::samples::Samples;
use super::schedule::{
    BURSTS, FIRST_RATE, LearningSchedule, PLAYING_SHARE, RANDOM_PLAYING_SHARE, SEARCHING_SHARE,
};
use super::self_play::SelfPlayReport;
use super::symmetries::GameSymmetries;
use super::time_slice::TimeSlice;
use super::training::Trainer;
use super::unlearnable::Unlearnable;
use super::workers::{PlayedGames, PlayingStyle, SelfPlayWorkers};
use crate::expander::Expander;

/// Random games beyond this number teach nothing new.
const MOST_RANDOM_GAMES: u64 = 200_000;

/// Where several roles choose at once in more than this share of moves, searches teach nothing:
/// what they find there are means over all moves that were tried, good and bad.
const SIMULTANEOUS_SHARE: f64 = 0.1;

/// Learns to evaluate the states of one game.
pub struct Learner {
    workers: SelfPlayWorkers,
    /// `None` as long as nothing is known.
    fitting: Option<NetworkFitting>,
    /// A network that does not see which role reaches what first, until one of the two is chosen.
    rival: Option<Rival>,
    /// The number of features that are fluents and numbers of moves.
    plain_features: usize,
    /// The roles whose goal does not depend on how the game ends, with their values, 0 to 1.
    constants: Vec<(Role, f32)>,
    history: Vec<LearningRound>,
    /// Whether searches choose the moves of self-play from now on.
    searches: bool,
    random: Xoshiro256PlusPlus,
    names: FluentNames,
    /// The network that learning began with, if there was one.
    origin: Option<LearnedNetwork>,
    /// Finds symmetries when they are first needed.
    finder: Option<SymmetryFinder>,
    symmetries: GameSymmetries,
    /// Finds which role reaches what first.
    reachability: Option<ReachabilityFinder>,
    /// The time spent on the rounds before the present one, and when that one began.
    spent: Duration,
    begun: Instant,
}

impl Learner {
    /// A learner that knows nothing, for a game that begins in `initial`.
    ///
    /// # Errors
    /// If the game has too many roles for a network, or no fluents.
    pub fn new(
        lanes: Box<dyn Lanes>,
        initial: &State,
        layout: &Layout,
        seed: u64,
    ) -> Result<Self, Unlearnable> {
        let expander = Expander::new(lanes, initial.0.len());
        if expander.roles() > MAX_HEADS {
            return Err(Unlearnable::TooManyRoles(expander.roles()));
        }
        if layout.bases.is_empty() {
            return Err(Unlearnable::NoFluents);
        }
        Ok(Self {
            workers: SelfPlayWorkers::new(initial, expander, seed ^ 1),
            fitting: None,
            rival: None,
            plain_features: plain_features(layout),
            constants: constant_values(layout),
            history: Vec::new(),
            searches: false,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            names: FluentNames::of(layout),
            origin: None,
            finder: None,
            symmetries: GameSymmetries::NONE,
            reachability: None,
            spent: Duration::ZERO,
            begun: Instant::now(),
        })
    }

    /// Plays on this number of threads, each with a machine of its own, which `lanes` makes from a
    /// seed.
    #[must_use]
    pub fn with_threads(mut self, threads: usize, lanes: impl Fn(u64) -> Box<dyn Lanes>) -> Self {
        for _ in 1..threads {
            self.workers.add(lanes(self.random.random()));
        }
        self
    }

    /// Learns from searches too, in the later part of the time: each thread searches on another
    /// machine, which `lanes` makes from a seed, in this layout's game. Call this when [all
    /// threads](Self::with_threads) are known.
    #[must_use]
    pub fn with_searches(mut self, layout: &Layout, lanes: impl Fn(u64) -> Box<dyn Lanes>) -> Self {
        self.workers.add_searches(layout, lanes);
        self
    }

    /// The number of threads that it plays on.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.count()
    }

    /// Learns from the images of states under the symmetries of the game, too.
    #[must_use]
    pub fn with_symmetries(mut self, finder: Option<SymmetryFinder>) -> Self {
        self.finder = finder;
        self
    }

    /// Also learns from which role first reaches what several can bring about, where that helps.
    #[must_use]
    pub fn with_reachability(mut self, finder: Option<ReachabilityFinder>) -> Self {
        self.reachability = finder;
        self
    }

    /// Continues from a network for the same game, instead of learning from random games first. One
    /// that does not fit this layout's game, or that sees what [cannot be
    /// found](Self::with_reachability), is not used.
    #[must_use]
    pub fn with_network(mut self, learned: LearnedNetwork, layout: &Layout) -> Self {
        self.continue_from(learned, layout);
        self
    }

    /// As [`with_network`](Self::with_network), for a learner that has not learned yet.
    pub fn continue_from(&mut self, learned: LearnedNetwork, layout: &Layout) {
        let features = learned.all_features(self.reachability.as_ref());
        if let Some(features) = features.filter(|_| learned.fits(layout)) {
            self.workers.set_features(&features);
            let trainer = Trainer::new(learned.network.clone(), learned.largest);
            self.fitting = Some(NetworkFitting::new(trainer));
            self.origin = Some(learned);
        }
    }

    /// Whether it knows a network.
    #[must_use]
    pub fn knows_network(&self) -> bool {
        self.fitting.is_some()
    }

    /// The network learned so far, if there is one.
    #[must_use]
    pub fn network(&self) -> Option<QuantisedNetwork> {
        Some(self.quantised(self.fitting.as_ref()?))
    }

    /// A network in training as it is used.
    fn quantised(&self, fitting: &NetworkFitting) -> QuantisedNetwork {
        fitting.network().with_constants(&self.constants)
    }

    /// The network learned so far and how it was learned, to be saved.
    #[must_use]
    pub fn learned(&self) -> Option<LearnedNetwork> {
        let trainer = &self.fitting.as_ref()?.trainer;
        let before = self.origin.as_ref().map_or(Duration::ZERO, |it| it.time);
        let features = self.features();
        Some(LearnedNetwork {
            network: trainer.network().clone(),
            reached: features.reachability().map_or(0, ReachabilityProgram::bits),
            features: features.without_reachability(),
            largest: trainer.largest(),
            games: self.games(),
            time: before + self.spent,
        })
    }

    /// The time spent on learning, without pauses between rounds.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.spent
    }

    /// The number of games learned from, with those of the network that it continues.
    #[must_use]
    pub fn games(&self) -> u64 {
        let before = self.origin.as_ref().map_or(0, |it| it.games);
        let rounds = self.history.iter().map(|round| round.played.games);
        before.saturating_add(rounds.sum())
    }

    /// A machine that it plays on, for others to use between two calls.
    pub fn expander(&mut self) -> &mut Expander {
        &mut self.workers.first.expander
    }

    /// Continues on other machines of the same game.
    pub fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.workers.move_to(lanes);
    }

    /// The features by which it values states.
    #[must_use]
    pub fn features(&self) -> FeatureSet {
        let features = self.workers.first.expander.features();
        features.cloned().unwrap_or_default()
    }

    /// The mean number of moves in games of the last round, or 1 if there was none.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        let played = self
            .history
            .last()
            .map_or(SelfPlayReport::default(), |round| round.played);
        played.plies.max(1) as f64 / played.games.max(1) as f64
    }

    /// The words of a state after this number of random moves from the initial state;
    /// fewer if the game would be over.
    pub fn random_state(&mut self, plies: usize) -> Vec<u64> {
        let worker = &mut self.workers.first;
        let random = &mut self.random;
        (worker.self_play).random_state(&mut worker.expander, plies, random)
    }

    /// Samples that it did not learn from, the last ones first; `None` if there are none.
    #[must_use]
    pub fn held_out(&self) -> Option<&Samples> {
        self.fitting.as_ref()?.held_out()
    }

    /// The loss of the last round in which something was held out; `None` if there was none.
    #[must_use]
    pub fn loss(&self) -> Option<f32> {
        self.history.iter().rev().find_map(|round| round.loss)
    }

    /// What each round did.
    #[must_use]
    pub fn history(&self) -> &[LearningRound] {
        &self.history
    }

    /// Learns for this time or until the flag is raised. `watch` is called after each round.
    pub fn learn(
        &mut self,
        time: Duration,
        stop_flag: &StopFlag,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let start = Instant::now();
        while self.learn_round(start.elapsed(), time, stop_flag, watch) {}
    }

    /// The same, but only from results.
    pub fn learn_from_results(&mut self, time: Duration, stop_flag: &StopFlag) {
        let start = Instant::now();
        let mut goes_on = true;
        while goes_on {
            let schedule = LearningSchedule::by_results(time, start.elapsed(), self.threads());
            goes_on = self.round(&schedule, stop_flag, &mut |_| {});
        }
    }

    /// Learns for this time after one of the calls above, as if that call had been given more time;
    /// from searches alone, where these teach something.
    pub fn learn_on(&mut self, time: Duration, stop_flag: &StopFlag) {
        let (start, before) = (Instant::now(), self.time());
        let time = before + time;
        self.begin_searches();
        while self.learn_round(before + start.elapsed(), time, stop_flag, &mut |_| {}) {}
    }

    /// The next round of learning for `time` in all, of which `done` is over. Returns
    /// whether there is to be another one: if the last round ends early, the time left is too short
    /// for one. This lets callers do other things between rounds.
    pub fn learn_round(
        &mut self,
        done: Duration,
        time: Duration,
        stop_flag: &StopFlag,
        watch: &mut dyn FnMut(&LearningRound),
    ) -> bool {
        let schedule = LearningSchedule::by_results(time, done, self.threads());
        let schedule = match self.searches_teach() {
            true => schedule.then_by_searches(),
            false => schedule,
        };
        self.round(&schedule, stop_flag, watch)
    }

    /// A round of what the schedule has next. Returns whether there is to be another one.
    fn round(
        &mut self,
        schedule: &LearningSchedule,
        stop_flag: &StopFlag,
        watch: &mut dyn FnMut(&LearningRound),
    ) -> bool {
        self.begun = Instant::now();
        let all = TimeSlice {
            end: self.begun + schedule.left(),
            stop_flag,
        };
        if !all.goes_on() {
            return false;
        }
        if let Some(finder) = self.finder.take() {
            self.symmetries = GameSymmetries::found_by(&finder);
        }
        if self.fitting.is_none() {
            self.find_features(all.until(schedule.patterns()));
            self.learn_from_random_games(all.until(schedule.random_games()), watch);
        } else {
            let slice = all.until(schedule.next_round());
            if schedule.is_for_searches() {
                self.begin_searches();
            }
            if self.searches && !self.searches_teach() {
                self.end_searches();
            }
            if self.searches {
                self.learn_from_searches(slice, schedule, watch);
            } else {
                let rate = schedule.rate(self.origin.is_some());
                self.learn_from_self_play(slice, rate, watch);
            }
        }
        self.spent += self.begun.elapsed();
        self.fitting.is_some() && !schedule.is_last()
    }

    /// Whether there is something to learn from searches, by the games so far.
    fn searches_teach(&self) -> bool {
        let played = self.history.iter().map(|round| &round.played);
        let plies: u64 = played.clone().map(|played| played.plies).sum();
        let simultaneous: u64 = played.map(|played| played.simultaneous).sum();
        self.workers.can_search() && simultaneous as f64 <= SIMULTANEOUS_SHARE * plies as f64
    }

    /// From now on searches choose the moves, if there are any. As long as a rival is to play the
    /// network, networks choose them.
    fn begin_searches(&mut self) {
        if self.searches || self.rival.is_some() || !self.searches_teach() {
            return;
        }
        if let Some(fitting) = &mut self.fitting {
            // Results say less than searches do.
            fitting.clear_rounds();
            self.searches = true;
        }
    }

    /// From now on the network chooses the moves again: games by searches have shown that these
    /// teach nothing, where no games had been played before.
    fn end_searches(&mut self) {
        if let Some(fitting) = &mut self.fitting {
            fitting.clear_rounds();
        }
        self.searches = false;
    }

    fn learn_from_random_games(
        &mut self,
        slice: TimeSlice<'_>,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let time = slice.left();
        let playing = slice.until(time.mul_f64(RANDOM_PLAYING_SHARE));
        let most = MOST_RANDOM_GAMES / self.workers.count() as u64;
        let style = PlayingStyle {
            networks: None,
            searches: false,
            symmetries: &self.symmetries,
        };
        self.workers.play(style, &|report| {
            playing.goes_on() && report.games < most
                || report.games == 0
                    && !slice.stop_flag.is_raised()
                    && Instant::now() < slice.end + time
        });
        let played = self.workers.take_played();
        if played.samples.is_empty() {
            return;
        }
        let heads = ValueHeads::of(&played.samples, self.expander().roles());
        let features = 64 * played.samples.words();
        let network = ValueNetwork::new(features, heads, &mut self.random);
        let mut fitting = NetworkFitting::new(Trainer::new(network, 0.0));
        let known = self.features();
        if known.reachability().is_some() {
            let network = ValueNetwork::new(features, heads, &mut self.random);
            self.rival = Some(Rival::new(network, self.plain_features + known.len()));
        }
        self.add_round(&mut fitting, played, watch);
        let (rate, random) = (FIRST_RATE as f32, &mut self.random);
        if let Some(Rival { fitting, .. }) = &mut self.rival {
            fitting.fit(slice.until(slice.left() / 2), rate, random);
            fitting.clear_rounds();
        }
        fitting.fit(slice, rate, random);
        // Random games are worth little beside games between better players.
        fitting.clear_rounds();
        self.fitting = Some(fitting);
    }

    /// Finds features beyond fluents.
    fn find_features(&mut self, slice: TimeSlice<'_>) {
        let worker = &mut self.workers.first;
        let mut finder = PatternFinder {
            expander: &mut worker.expander,
            initial: worker.self_play.initial(),
            random: &mut self.random,
            names: &self.names,
            symmetries: self.symmetries.generators(),
            time: slice,
        };
        let features = finder.find();
        let program = self.reachability.as_ref().and_then(|find| find());
        let features = match program {
            Some(program) => features.with_reachability(program),
            None => features,
        };
        self.workers.set_features(&features);
    }

    /// All threads play; then the first trains, and the others play on.
    fn learn_from_self_play(
        &mut self,
        slice: TimeSlice<'_>,
        rate: f32,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let (Some(network), Some(mut fitting)) = (self.network(), self.fitting.take()) else {
            return;
        };
        let rival = (self.rival.as_ref()).map(|rival| self.quantised(&rival.fitting));
        let networks = [&network, rival.as_ref().unwrap_or(&network)];
        let share = PLAYING_SHARE / self.workers.count() as f64;
        let playing = slice.until(slice.left().mul_f64(share));
        let style = PlayingStyle::of(networks, &self.symmetries);
        self.workers.play(style, &|_| playing.goes_on());
        let played = self.workers.take_played();
        if played.samples.is_empty() {
            self.fitting = Some(fitting);
            return;
        }
        let score = played.report.score_of_first();
        self.add_round(&mut fitting, played, watch);
        let (mut fitting, sees_less) = self.chosen(fitting, score);
        let style = PlayingStyle::of(networks, &self.symmetries);
        let random = &mut self.random;
        let mut train = || fitting.fit(slice, rate, random);
        match sees_less {
            // The networks that have played so far cannot value states by fewer features.
            true => train(),
            false => (self.workers).play_during(style, &|_| slice.goes_on(), train),
        }
        self.fitting = Some(fitting);
    }

    /// All threads search, and the first trains on what they find, several times; meanwhile the
    /// others search on.
    fn learn_from_searches(
        &mut self,
        slice: TimeSlice<'_>,
        schedule: &LearningSchedule,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let Some(mut fitting) = self.fitting.take() else {
            return;
        };
        let burst = slice.left() / BURSTS;
        let share = SEARCHING_SHARE / self.workers.count() as f64;
        let mut sums = BurstSums::default();
        while slice.goes_on() {
            let rate = schedule.searching_rate(self.begun.elapsed());
            let network = self.quantised(&fitting);
            let style = PlayingStyle::of_searches(&network, &self.symmetries);
            let slice = slice.until(burst);
            let searching = slice.until(burst.mul_f64(share));
            self.workers.play(style, &|_| searching.goes_on());
            let played = self.workers.take_played();
            sums.add(&played);
            if played.samples.is_empty() {
                continue;
            }
            sums.loss += fitting.add_burst(played.samples, played.held);
            let random = &mut self.random;
            (self.workers).play_during(style, &|_| slice.goes_on(), || {
                fitting.fit_burst(slice, rate, random);
            });
        }
        self.fitting = Some(fitting);
        let elapsed = self.spent + self.begun.elapsed();
        self.conclude_round(sums.conclude(elapsed), watch);
    }

    /// A network or, if its last features are of no use, its rival without them; and whether it
    /// is the rival. `score` is the share of all goals that the network had in this round.
    fn chosen(&mut self, fitting: NetworkFitting, score: f64) -> (NetworkFitting, bool) {
        match self.rival.take() {
            Some(rival) if Rival::is_preferred(score) => {
                let features = self.features().without_reachability();
                self.workers.set_features(&features);
                (rival.into_plain(), true)
            }
            _ => (fitting, false),
        }
    }

    /// Adds what was played to what a network is fitted to.
    fn add_round(
        &mut self,
        fitting: &mut NetworkFitting,
        played: PlayedGames,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        // Random games come first.
        let plays_rival = self.rival.is_some() && !self.history.is_empty();
        if let Some(rival) = &mut self.rival {
            let samples = played.samples.clone();
            rival.fitting.add_round(samples, &mut self.random);
        }
        let loss = fitting.add_round(played.samples, &mut self.random);
        let round = LearningRound {
            elapsed: self.spent + self.begun.elapsed(),
            played: played.report,
            playing: played.time,
            by_searches: false,
            loss: Some(loss),
            against_rival: plays_rival.then(|| played.report.score_of_first()),
        };
        self.conclude_round(round, watch);
    }

    fn conclude_round(&mut self, round: LearningRound, watch: &mut dyn FnMut(&LearningRound)) {
        self.history.push(round);
        watch(&round);
    }
}

/// The roles whose goal does not depend on how the game ends, with their values, 0 to 1.
fn constant_values(layout: &Layout) -> Vec<(Role, f32)> {
    let roles = 0..layout.roles.len();
    let goals = roles.filter_map(|role| Some((role, layout.constant_goal(role)?)));
    goals
        .map(|(role, goal)| (role, goal.clamp(0, 100) as f32 / 100.0))
        .collect()
}

/// The number of features that every game of a layout has: its fluents and numbers of moves.
fn plain_features(layout: &Layout) -> usize {
    let counts = layout.choices.iter();
    let counts: usize = counts.map(|choice| choice.count_bits as usize).sum();
    layout.bases.len() + counts
}
