//! The champion: learns an evaluation of the game during the start clock, and then plays by
//! whatever best predicts the results of games that it did not learn from: search by that
//! evaluation, by a mixture of it and playouts, or by playouts alone. Quick games can still
//! decide in favour of playouts.

mod budgeted;
pub mod choice;
mod decision;
pub mod foresight;
mod learning;
mod memory;
pub mod settings;
mod trials;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Lanes, Move, Role, State};
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::learning::{LearnedNetwork, Learner, NetworkStore};
use crate::puct::{EvaluatedSearch, GoalModel, PuctSettings};
use crate::search::move_search::MoveSearch;
use crate::search::{Search, SearchBudget, SearchReport, SearchResult};
use crate::selection::uct::Uct;
use budgeted::run_evaluated;
use choice::{ChampionChoice, ChampionSearch};
use learning::ChampionLearning;
use settings::ChampionSettings;

/// The component.
pub const COMPONENT: Component = Component {
    name: "champion",
    slot: Slot::Selection,
    summary: "learns to evaluate the states of the game during the start clock, from games against \
              itself; then searches by that evaluation (PUCT), by a mixture of it and playouts, or \
              by playouts alone (uct+closed, with the other components of the agent), whichever \
              foresees their results best; quick games can still decide for playouts alone",
    source: "Nasu 2018; Silver and others 2017; Cazenave and Saffidine 2010",
    parameters: &[
        Parameter {
            name: "c",
            meaning: "the weight of exploration in the search by evaluation, in values from 0 to 1",
            kind: ParameterKind::Number {
                default: 0.35,
                range: 0.0..=100.0,
            },
        },
        Parameter {
            name: "uct",
            meaning: "C, the weight of exploration in the search by playouts, in goal points",
            kind: ParameterKind::Number {
                default: 40.0,
                range: 0.0..=10_000.0,
            },
        },
        Parameter {
            name: "trials",
            meaning: "1: quick games decide whether it plays by playouts after all; 0: there \
                      are none",
            kind: ParameterKind::Number {
                default: 1.0,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "mix",
            meaning: "1: playouts are mixed into values where that foresees results better; 0: \
                      never",
            kind: ParameterKind::Number {
                default: 1.0,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "net",
            meaning: "a network from `gdl learn` to start from, even without a start clock",
            kind: ParameterKind::Text {
                placeholder: "FILE",
            },
        },
    ],
    build: |builder, values, _| {
        let exploration = values.get(1) as f32;
        builder.selection(move |options| Uct::with_options(exploration, options));
        builder.settings.closes = true;
        builder.reserves_lanes = true;
        builder.champion = Some(ChampionSettings {
            exploration: values.get(0) as f32,
            has_trials: values.get(2) >= 0.5,
            has_mixture: values.get(3) >= 0.5,
            threads: 1,
        });
        builder.network = values.text(4).map(PathBuf::from);
    },
};

/// The share of the start clock for searching ahead, from the first state of the match: what is
/// found there is useful for several moves.
const AHEAD_SHARE: f64 = 0.1;

/// The share of the rest for learning; what remains is for quick games, and then for more learning.
const LEARNING_SHARE: f64 = 0.65;

/// The share of the time after that, or of time with nothing to decide, for more learning: a round
/// may take a little longer than it should.
const LEARNING_ON_SHARE: f64 = 0.9;

/// The share of the time per move that a champion playing by playouts first spends looking for a
/// proof near the end of a game, where bounds prove what averages do not show.
const PROOF_SHARE: f64 = 0.1;

/// The mean length of playouts, in steps, beyond which a game is too far from its end for that.
const PROOF_DISTANCE: f64 = 20.0;

/// The fewest playouts from which their mean length is estimated.
const FEWEST_PLAYOUTS: u64 = 1000;

/// The least time in which anything can be learned.
const LEAST_TIME: Duration = Duration::from_millis(300);

/// A search that learns an evaluation.
pub struct Champion {
    plain: Search,
    /// `None` if the game cannot be learned.
    learning: Option<ChampionLearning>,
    settings: ChampionSettings,
    /// The size limit of all its trees together, in bytes.
    memory: usize,
    stop_flag: StopFlag,
    choice: Option<ChampionChoice>,
    /// Whether the choice was made in a start clock without an interruption: what is left of the
    /// clock is too short to make it again.
    is_prepared: bool,
    /// The store in which it keeps what it learned for later matches, if any, and the layout.
    store: Option<(Arc<NetworkStore>, Arc<Layout>)>,
    /// Whether it plays by playouts, but the search by evaluation has proven what to play
    /// in the last state.
    has_proof: bool,
    /// What the last search by evaluation did.
    evaluated_report: SearchReport,
    /// The mean length of the playouts in the last search by playouts, in steps.
    playout_length: Option<f64>,
}

impl Champion {
    /// A champion whose search by playouts is `plain`, and whose trees take no more than this
    /// many bytes. It learns only on engines that know all fluents of the game in advance.
    #[must_use]
    pub fn new(
        engine: &dyn Engine,
        plain: Search,
        settings: ChampionSettings,
        memory: usize,
        seed: u64,
    ) -> Self {
        let learning = engine.layout().and_then(|layout| {
            let initial = engine.initial();
            let learner = Learner::new(engine.lanes(seed), &initial, &layout, seed)
                .ok()?
                .with_threads(settings.threads, |seed| engine.lanes(seed))
                .with_searches(&layout, |seed| engine.lanes(seed))
                .with_symmetries(engine.symmetry_finder())
                .with_reachability(engine.reachability_finder());
            let puct = PuctSettings {
                exploration: settings.exploration,
                ..PuctSettings::default()
            };
            let words = initial.0.len();
            let goals = GoalModel::of(&layout);
            let search = || EvaluatedSearch::new(engine.lanes(seed), words, goals.clone(), puct);
            let playouts = || engine.lanes(seed ^ 1);
            let mixture = settings.has_mixture;
            Some(ChampionLearning {
                learner,
                evaluation: search(),
                mixture: mixture.then(|| search().with_playouts(playouts(), 1.0)),
                weights: [1.0, 1.0],
            })
        });
        let mut champion = Self {
            stop_flag: plain.stop_flag(),
            plain,
            learning,
            settings,
            memory,
            choice: None,
            is_prepared: false,
            store: None,
            has_proof: false,
            evaluated_report: SearchReport::default(),
            playout_length: None,
        };
        champion.divide_memory(None);
        champion
    }

    /// When it learns, continues from what earlier matches of this layout's game left in a store,
    /// and saves what it learns there.
    #[must_use]
    pub fn with_store(mut self, store: Arc<NetworkStore>, layout: Arc<Layout>) -> Self {
        self.store = Some((store, layout));
        self
    }

    /// Starts with a network for the same game, and plays by it until it has learned more. One that
    /// does not fit this layout's game is not used.
    #[must_use]
    pub fn with_network(mut self, learned: LearnedNetwork, layout: &Layout) -> Self {
        self.learning = self.learning.map(|mut learning| {
            let games = learned.games;
            learning.learner = learning.learner.with_network(learned, layout);
            if learning.use_network() {
                self.choice = Some(ChampionChoice {
                    games,
                    threads: 0,
                    loss: None,
                    foresight: None,
                    tried: None,
                    plays: ChampionSearch::Evaluation,
                });
            }
            learning
        });
        self.divide_memory(self.plays());
        self
    }

    /// What it learned and the search it plays by, once that is decided.
    #[must_use]
    pub fn choice(&self) -> Option<&ChampionChoice> {
        self.choice.as_ref()
    }

    /// The search it plays by, once that is decided.
    fn plays(&self) -> Option<ChampionSearch> {
        self.choice.map(|choice| choice.plays)
    }

    /// The search by evaluation, mixed or not, that decides on the next move, if one does.
    fn evaluated(&self) -> Option<&EvaluatedSearch> {
        let learning = self.learning.as_ref()?;
        match self.choice?.plays {
            ChampionSearch::Evaluation => Some(&learning.evaluation),
            ChampionSearch::Mixture => learning.mixture.as_ref(),
            ChampionSearch::Playouts => Some(&learning.evaluation).filter(|_| self.has_proof),
        }
    }

    /// Searches until the deadline from the state in which a match begins.
    fn search_ahead(
        &mut self,
        plays: ChampionSearch,
        state: &State,
        role: Role,
        deadline: Instant,
        watch: &mut dyn FnMut(&SearchReport),
    ) {
        let learning = self.learning.as_mut();
        match learning.and_then(|learning| learning.search(plays)) {
            Some(search) => {
                search.search_ahead(state, deadline, &mut || !self.stop_flag.is_raised());
            }
            None => {
                self.run(state, role, SearchBudget::Until(deadline), watch);
            }
        }
    }

    /// Records how long playouts were, if there were enough of them to tell.
    fn observe_playouts(&mut self, report: &SearchReport) {
        if report.played >= FEWEST_PLAYOUTS {
            self.playout_length = Some(report.playout_steps as f64 / report.played as f64);
        }
    }

    /// Searches by evaluation for a part of the time before playouts, if the end of the game is
    /// near, and records whether that proves what to play.
    fn search_for_proof(
        &mut self,
        state: &State,
        role: Role,
        deadline: Instant,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Option<SearchReport> {
        if self.playout_length.is_some_and(|it| it > PROOF_DISTANCE) {
            return None;
        }
        let search = &mut self.learning.as_mut()?.evaluation;
        let left = deadline.saturating_duration_since(Instant::now());
        let budget = SearchBudget::within(left.mul_f64(PROOF_SHARE));
        let report = run_evaluated(search, state, budget, &self.stop_flag, watch);
        self.evaluated_report = report;
        self.has_proof = search.has_proof(role);
        Some(report).filter(|_| self.has_proof)
    }

    /// Learns until the deadline, and decides which search to play by.
    fn learn(&mut self, deadline: Instant) {
        if deadline.saturating_duration_since(Instant::now()) < LEAST_TIME {
            return;
        }
        // An earlier decision left the other searches no memory, and quick games need all of them.
        self.divide_memory(None);
        let decision = self.decide(deadline);
        self.choice = decision.or(self.choice);
        self.divide_memory(self.plays());
        if decision.is_none() {
            return;
        }
        self.is_prepared = !self.stop_flag.is_raised();
        // Quick games with clear results leave time over.
        if !self.learn_on(deadline) {
            self.keep_learned();
        }
    }

    /// Learns for most of the time until the deadline, and decides which search to play by; `None`
    /// if there is no network then.
    fn decide(&mut self, deadline: Instant) -> Option<ChampionChoice> {
        let left = || deadline.saturating_duration_since(Instant::now());
        let learning = self.learning.as_mut()?;
        let learner = &mut learning.learner;
        if let Some((store, layout)) = self.store.as_ref().filter(|_| !learner.knows_network())
            && let Some(known) = store.load(layout)
        {
            learner.continue_from(known, layout);
        }
        // Foresight is to be measured with a network that has learned from results.
        learner.learn_from_results(left().mul_f64(LEARNING_SHARE), &self.stop_flag);
        if !learning.use_network() {
            return None;
        }
        let mut choice = ChampionChoice::by_foresight(learning, &self.stop_flag);
        if self.settings.has_trials && choice.plays != ChampionSearch::Playouts {
            let plain = &mut self.plain;
            choice.try_against_playouts(learning, plain, left(), &self.stop_flag);
        }
        Some(choice)
    }

    /// Saves what it has learned so far, if it has a store.
    fn keep_learned(&self) {
        let learned = self.learning.as_ref().and_then(|it| it.learner.learned());
        if let (Some((store, layout)), Some(learned)) = (&self.store, learned) {
            store.keep(&learned, layout);
        }
    }

    /// Continues learning for most of the time until the deadline, unless that is of no use to the
    /// search it plays by or there is too little time. Returns whether it did.
    fn learn_on(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let time = left.mul_f64(LEARNING_ON_SHARE);
        let (Some(learning), Some(choice)) = (&mut self.learning, &mut self.choice) else {
            return false;
        };
        if choice.plays == ChampionSearch::Playouts || time < LEAST_TIME {
            return false;
        }
        learning.learner.learn_on(time, &self.stop_flag);
        learning.use_network();
        choice.games = learning.learner.games();
        choice.threads = learning.learner.threads();
        self.keep_learned();
        true
    }
}

impl MoveSearch for Champion {
    fn prepare(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) {
        let SearchBudget::Until(deadline) = budget else {
            return;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let learned = deadline - left.mul_f64(AHEAD_SHARE);
        if self.is_prepared {
            self.learn_on(learned);
        } else {
            self.learn(learned);
        }
        if let Some(choice) = self.choice {
            self.search_ahead(choice.plays, state, role, deadline, watch);
        }
    }

    fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        self.has_proof = false;
        let plays = self.plays();
        let learning = self.learning.as_mut().zip(plays);
        if let Some(search) = learning.and_then(|(learning, plays)| learning.search(plays)) {
            self.evaluated_report = run_evaluated(search, state, budget, &self.stop_flag, watch);
            return self.evaluated_report;
        }
        if let (Some(_), SearchBudget::Until(deadline)) = (plays, budget)
            && let Some(report) = self.search_for_proof(state, role, deadline, watch)
        {
            return report;
        }
        let report = self.plain.run(state, role, budget, watch);
        self.observe_playouts(&report);
        report
    }

    /// Learns on, unless all is proven, and searches just enough to know whether it is.
    fn use_idle_time(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let SearchBudget::Until(deadline) = budget else {
            return self.run(state, role, budget, watch);
        };
        let glance = self.run(state, role, SearchBudget::Simulations(1), watch);
        if self.is_exhausted() {
            return glance;
        }
        match self.learn_on(deadline) {
            true => self.run(state, role, SearchBudget::Simulations(1), watch),
            false => self.run(state, role, budget, watch),
        }
    }

    fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        let mut result = match self.evaluated() {
            Some(evaluated) => SearchResult {
                report: self.evaluated_report,
                ..evaluated.result(state, role, legal)
            },
            None => self.plain.result(state, role, legal),
        };
        result.choice = self.choice.map(|choice| choice.to_string());
        result
    }

    fn is_exhausted(&self) -> bool {
        match self.evaluated() {
            Some(evaluated) => evaluated.is_exhausted(),
            None => self.plain.is_exhausted(),
        }
    }

    fn stop_flag(&self) -> StopFlag {
        self.stop_flag.clone()
    }

    fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        self.stop_flag = stop_flag.clone();
        self.plain.set_stop_flag(stop_flag);
    }

    fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.plain.move_to(lanes);
        if let Some(learning) = &mut self.learning {
            learning.learner.move_to(lanes);
            learning
                .evaluated()
                .for_each(|search| search.move_to(lanes));
        }
    }
}
