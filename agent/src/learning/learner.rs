//! The learner: rounds of self-play and training within a time.
//!
//! Random games come first, since a network that knows nothing plays no better. Then
//! rounds follow in which the network plays itself and is fitted to the results of the
//! last rounds.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Lanes, State};
use gdl_runtime::features::FeatureSet;
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;
use gdl_runtime::symmetry::SymmetryFinder;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::learned::LearnedNetwork;
use super::network::{MAX_HEADS, ValueHeads, ValueNetwork};
use super::patterns::{FluentNames, find_patterns};
use super::quantised::QuantisedNetwork;
use super::samples::Samples;
use super::self_play::{SelfPlay, SelfPlayReport};
use super::symmetries::GameSymmetries;
use super::training::Trainer;
use crate::expander::{Expander, Positions};

/// The share of the time for random games, and the most of it.
const RANDOM_SHARE: f64 = 0.1;
const MOST_RANDOM: Duration = Duration::from_secs(2);

/// The share of the time for random games that goes into finding patterns.
const PATTERN_SHARE: f64 = 0.15;

/// Random games more than this teach nothing new.
const MOST_RANDOM_GAMES: u64 = 200_000;

/// Rounds of self-play into which the rest of the time is divided, and the longest
/// round.
const ROUNDS: u32 = 7;
const LONGEST_ROUND: Duration = Duration::from_secs(10);

/// The share of a round for self-play; the rest is for training.
const PLAYING_SHARE: f64 = 0.6;

/// Rounds whose samples are kept.
const KEPT_ROUNDS: usize = 3;

/// Times that a sample is trained on per round, at most.
const EPOCHS: usize = 2;

/// One sample in this number is held out.
const HELD_OUT: u32 = 50;

/// Learning rates at the beginning, also if a network was known, and at the end.
const FIRST_RATE: f64 = 0.005;
const CONTINUED_RATE: f64 = 0.002;
const LAST_RATE: f64 = 0.001;

/// Memory for samples, in bytes.
const SAMPLE_MEMORY: usize = 24 << 20;

/// What a round of learning did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearningRound {
    /// The time spent on learning until then, without pauses between rounds.
    pub elapsed: Duration,
    /// Games and moves of self-play.
    pub played: SelfPlayReport,
    /// The time that self-play took.
    pub playing: Duration,
    /// The mean cross entropy of the round's samples that were held out, before they
    /// could have been learned from: a measure of how well results are foreseen.
    pub loss: f32,
}

/// Learns to evaluate the states of one game.
pub struct Learner {
    expander: Expander,
    self_play: SelfPlay,
    trainer: Option<Trainer>,
    rounds: VecDeque<Samples>,
    /// The samples of the last round that were held out.
    held: Samples,
    history: Vec<LearningRound>,
    random: Xoshiro256PlusPlus,
    names: FluentNames,
    /// The number of words of the features of a state.
    words: usize,
    /// The network that learning began with, if there was one.
    origin: Option<LearnedNetwork>,
    symmetries: GameSymmetries,
    /// The time spent on the rounds before the present one, and when that one began.
    spent: Duration,
    begun: Instant,
}

/// The clock of a part of the learning.
#[derive(Clone, Copy)]
struct Slice<'a> {
    end: Instant,
    stop_flag: &'a StopFlag,
}

impl Slice<'_> {
    fn goes_on(&self) -> bool {
        !self.stop_flag.is_raised() && Instant::now() < self.end
    }

    fn until(self, time: Duration) -> Self {
        let end = Instant::now() + time;
        Self {
            end: end.min(self.end),
            ..self
        }
    }
}

impl Learner {
    /// A learner that knows nothing, of a game that begins in `initial`; `None` if the
    /// game has too many roles for a network.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, initial: &State, layout: &Layout, seed: u64) -> Option<Self> {
        let expander = Expander::new(lanes, initial.0.len());
        let roles = expander.roles();
        (roles <= MAX_HEADS).then(|| Self {
            self_play: SelfPlay::new(initial, &expander),
            expander,
            trainer: None,
            rounds: VecDeque::new(),
            held: Samples::new(initial.0.len(), roles),
            history: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            names: FluentNames::of(layout),
            words: initial.0.len(),
            origin: None,
            symmetries: GameSymmetries::default(),
            spent: Duration::ZERO,
            begun: Instant::now(),
        })
    }

    /// Learns from the images of states under the symmetries of the game, too.
    #[must_use]
    pub fn with_symmetries(mut self, finder: Option<SymmetryFinder>) -> Self {
        self.symmetries = GameSymmetries::found_by(finder);
        self
    }

    /// Continues from a network of the same game, instead of learning from random games
    /// first. One that does not fit the game of this layout is not used.
    #[must_use]
    pub fn with_network(mut self, learned: LearnedNetwork, layout: &Layout) -> Self {
        self.continue_from(learned, layout);
        self
    }

    /// As [`with_network`](Self::with_network), for a learner that has not learned yet.
    pub fn continue_from(&mut self, learned: LearnedNetwork, layout: &Layout) {
        if learned.fits(layout) {
            self.use_features(learned.features.clone());
            let network = learned.network.clone();
            self.trainer = Some(Trainer::new(network, learned.largest));
            self.origin = Some(learned);
        }
    }

    /// Whether it knows a network.
    #[must_use]
    pub fn knows_network(&self) -> bool {
        self.trainer.is_some()
    }

    /// The network learned so far, if there is one.
    #[must_use]
    pub fn network(&self) -> Option<QuantisedNetwork> {
        let trainer = self.trainer.as_ref()?;
        Some(QuantisedNetwork::new(trainer.network(), trainer.largest()))
    }

    /// The network learned so far with how it was learned, to be kept.
    #[must_use]
    pub fn learned(&self) -> Option<LearnedNetwork> {
        let trainer = self.trainer.as_ref()?;
        let before = self.origin.as_ref().map_or(Duration::ZERO, |it| it.time);
        Some(LearnedNetwork {
            network: trainer.network().clone(),
            features: self.features(),
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

    /// The machine that it plays on, for others to use between two calls.
    pub fn expander(&mut self) -> &mut Expander {
        &mut self.expander
    }

    /// Continues on another machine of the same game.
    pub fn move_to(&mut self, lanes: Box<dyn Lanes>) {
        self.expander = self.expander.on(lanes);
    }

    /// The features by which it values states.
    #[must_use]
    pub fn features(&self) -> FeatureSet {
        self.expander.features().cloned().unwrap_or_default()
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
        self.self_play
            .random_state(&mut self.expander, plies, &mut self.random)
    }

    /// Samples of the last round that it did not learn from.
    #[must_use]
    pub fn held_out(&self) -> &Samples {
        &self.held
    }

    /// What each round did.
    #[must_use]
    pub fn history(&self) -> &[LearningRound] {
        &self.history
    }

    /// Learns for this time or until the flag is raised. `watch` is told of each round.
    pub fn learn(
        &mut self,
        time: Duration,
        stop_flag: &StopFlag,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let start = Instant::now();
        while self.learn_round(start.elapsed(), time, stop_flag, watch) {}
    }

    /// Learns for this time after [`learn`](Self::learn), as if that had been given more.
    pub fn learn_on(&mut self, time: Duration, stop_flag: &StopFlag) {
        let (start, before) = (Instant::now(), self.time());
        let time = before + time;
        while self.learn_round(before + start.elapsed(), time, stop_flag, &mut |_| {}) {}
    }

    /// The next round of learning for `time` in all, of which `done` is over. Returns
    /// whether there was one. In this way callers can do other things between rounds.
    pub fn learn_round(
        &mut self,
        done: Duration,
        time: Duration,
        stop_flag: &StopFlag,
        watch: &mut dyn FnMut(&LearningRound),
    ) -> bool {
        self.begun = Instant::now();
        let left = time.saturating_sub(done);
        let all = Slice {
            end: self.begun + left,
            stop_flag,
        };
        if !all.goes_on() {
            return false;
        }
        if self.trainer.is_none() {
            let share = time.mul_f64(RANDOM_SHARE).min(MOST_RANDOM);
            self.learn_from_random_games(all.until(share), watch);
        } else {
            let progress = done.as_secs_f64() / time.as_secs_f64();
            let first = match self.origin {
                None => FIRST_RATE,
                Some(_) => CONTINUED_RATE,
            };
            let rate = first * (LAST_RATE / first).powf(progress);
            // No round that is too short to be worth it.
            let round = (time / (ROUNDS + 1)).min(LONGEST_ROUND);
            let round = if left < round * 3 / 2 { left } else { round };
            self.learn_from_self_play(all.until(round), rate as f32, watch);
        }
        self.spent += self.begun.elapsed();
        self.trainer.is_some()
    }

    fn learn_from_random_games(&mut self, slice: Slice<'_>, watch: &mut dyn FnMut(&LearningRound)) {
        let time = slice.end.saturating_duration_since(Instant::now());
        self.find_features(slice.until(time.mul_f64(PATTERN_SHARE)));
        let mut samples = self.no_samples();
        let playing = slice.until(time.mul_f64(PLAYING_SHARE - PATTERN_SHARE));
        let played = self.self_play.play(
            &mut self.expander,
            None,
            &mut samples,
            &mut self.random,
            &mut |report| {
                playing.goes_on() && report.games < MOST_RANDOM_GAMES
                    || report.games == 0
                        && !slice.stop_flag.is_raised()
                        && Instant::now() < slice.end + time
            },
        );
        if samples.is_empty() {
            return;
        }
        let heads = ValueHeads::of(&samples, self.expander.roles());
        let network = ValueNetwork::new(64 * samples.words(), heads, &mut self.random);
        self.trainer = Some(Trainer::new(network, 0.0));
        let played = (played, self.begun.elapsed());
        self.train(slice, samples, FIRST_RATE as f32, played, watch);
        // They are worth little beside games between better players.
        self.rounds.clear();
    }

    /// Finds features beyond fluents.
    fn find_features(&mut self, slice: Slice<'_>) {
        let Self {
            expander,
            random,
            self_play,
            names,
            ..
        } = self;
        let initial = self_play.initial();
        let features = find_patterns(expander, initial, random, names, &mut || slice.goes_on());
        self.use_features(features);
    }

    /// Values states by these features from now on.
    fn use_features(&mut self, features: FeatureSet) {
        self.expander.set_features(features);
        let mut position = Positions::default();
        let initial = self.self_play.initial();
        self.expander.examine(&initial.0, &mut position);
        self.words = position.features(0).len();
    }

    fn learn_from_self_play(
        &mut self,
        slice: Slice<'_>,
        rate: f32,
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let Some(network) = self.network() else {
            return;
        };
        let time = slice.end.saturating_duration_since(Instant::now());
        let playing = slice.until(time.mul_f64(PLAYING_SHARE));
        let mut samples = self.no_samples();
        let played = self.self_play.play(
            &mut self.expander,
            Some(&network),
            &mut samples,
            &mut self.random,
            &mut |_| playing.goes_on(),
        );
        let played = (played, self.begun.elapsed());
        self.train(slice, samples, rate, played, watch);
    }

    /// Fits the network to new samples and those of the rounds before.
    fn train(
        &mut self,
        slice: Slice<'_>,
        mut samples: Samples,
        rate: f32,
        (played, playing): (SelfPlayReport, Duration),
        watch: &mut dyn FnMut(&LearningRound),
    ) {
        let Some(trainer) = self.trainer.as_mut().filter(|_| !samples.is_empty()) else {
            return;
        };
        self.symmetries
            .exchange(&mut samples, &mut self.expander, &mut self.random);
        let held = samples.hold_out(HELD_OUT, &mut self.random);
        let round = LearningRound {
            elapsed: self.spent + self.begun.elapsed(),
            played,
            playing,
            loss: trainer.loss(&held),
        };
        self.held = held;
        self.history.push(round);
        watch(&round);
        self.rounds.push_back(samples);
        let bytes = |rounds: &VecDeque<Samples>| rounds.iter().map(Samples::bytes).sum::<usize>();
        while self.rounds.len() > KEPT_ROUNDS
            || self.rounds.len() > 1 && bytes(&self.rounds) > SAMPLE_MEMORY
        {
            self.rounds.pop_front();
        }
        let sets: Vec<&Samples> = self.rounds.iter().collect();
        for _ in 0..EPOCHS {
            trainer.fit(&sets, rate, &mut self.random, &mut || slice.goes_on());
            if !slice.goes_on() {
                break;
            }
        }
    }

    fn no_samples(&self) -> Samples {
        Samples::new(self.words, self.expander.roles())
    }
}
