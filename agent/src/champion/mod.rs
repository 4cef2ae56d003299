//! The champion: learns an evaluation of the game in the start clock, and then plays by
//! whatever won quick games against the others: search by that evaluation, by a mixture of
//! it and playouts, or by playouts alone.

mod budgeted;
pub mod choice;
pub mod settings;
mod trials;

use std::iter;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Lanes, Move, Role, State};
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::learning::{LearnedNetwork, Learner};
use crate::puct::{EvaluatedSearch, PuctSettings};
use crate::search::move_search::MoveSearch;
use crate::search::{Search, SearchBudget, SearchReport, SearchResult};
use crate::selection::uct::Uct;
use budgeted::run_evaluated;
use choice::{ChampionChoice, ChampionSearch};
use settings::ChampionSettings;
use trials::{TrialSearch, Trials};

/// The component.
pub const COMPONENT: Component = Component {
    name: "champion",
    slot: Slot::Selection,
    summary: "learns to evaluate the states of the game in the start clock, from games against \
              itself; quick games then decide whether it searches by that evaluation (PUCT), by \
              a mixture of it and playouts, or by playouts alone (UCT, with the other components \
              of the agent)",
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
            meaning: "1: quick games decide by what it plays; 0: it plays by evaluation, or by \
                      the mixture if `mix` is more than 0",
            kind: ParameterKind::Number {
                default: 1.0,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "mix",
            meaning: "the weight of playouts in the values of the mixture; 0: no mixture",
            kind: ParameterKind::Number {
                default: 0.5,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "net",
            meaning: "a network from `gdl learn` to begin with, also without a start clock",
            kind: ParameterKind::Text {
                placeholder: "FILE",
            },
        },
    ],
    build: |builder, values, _| {
        let exploration = values.get(1) as f32;
        builder.selection(move |options| Uct::with_options(exploration, options));
        builder.reserves_lanes = true;
        builder.champion = Some(ChampionSettings {
            exploration: values.get(0) as f32,
            has_trials: values.get(2) >= 0.5,
            mixture: values.get(3) as f32,
        });
        builder.network = values.text(4).map(PathBuf::from);
    },
};

/// The share of the start clock for learning; most of the rest is for quick games.
const LEARNING_SHARE: f64 = 0.65;

/// The share of the time after learning for quick games.
const TRIAL_SHARE: f64 = 0.9;

/// The share of the quick games that is between the searches by evaluation.
const MIXTURE_SHARE: f64 = 0.4;

/// The share of the time per move in which a champion that plays by playouts looks for a
/// proof first: near the end of a game, bounds prove what averages do not show.
const PROOF_SHARE: f64 = 0.1;

/// Less than this is not enough to learn anything.
const LEAST_TIME: Duration = Duration::from_millis(300);

/// A search that learns an evaluation.
pub struct Champion {
    plain: Search,
    /// `None` if the game cannot be learned.
    learning: Option<Learning>,
    settings: ChampionSettings,
    stop_flag: StopFlag,
    choice: Option<ChampionChoice>,
    /// Whether it plays by playouts, but the search by evaluation has proven what to play
    /// in the last state.
    has_proof: bool,
}

/// What a game that can be learned needs.
struct Learning {
    learner: Learner,
    evaluation: EvaluatedSearch,
    /// `None` if there is no mixture to try.
    mixture: Option<EvaluatedSearch>,
}

impl Learning {
    /// The searches by evaluation.
    fn evaluated(&mut self) -> impl Iterator<Item = &mut EvaluatedSearch> {
        iter::once(&mut self.evaluation).chain(&mut self.mixture)
    }

    /// Searches by the network that was learned from now on. `false` if there is none.
    fn use_network(&mut self) -> bool {
        let Some(network) = self.learner.network() else {
            return false;
        };
        let features = self.learner.features();
        for search in self.evaluated() {
            search.set_network(network.clone(), features.clone());
        }
        true
    }
}

impl Champion {
    /// A champion whose search by playouts is `plain`, within this many bytes. It learns
    /// only on engines that know all fluents of the game in advance.
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
            let learner = Learner::new(engine.lanes(seed), &initial, &layout, seed)?;
            let puct = PuctSettings {
                exploration: settings.exploration,
                memory,
                ..PuctSettings::default()
            };
            let words = initial.0.len();
            let greatest = greatest_goals(&layout);
            let search = || EvaluatedSearch::new(engine.lanes(seed), words, greatest.clone(), puct);
            let weight = settings.mixture;
            let mixture =
                (weight > 0.0).then(|| search().with_playouts(engine.lanes(seed ^ 1), weight));
            Some(Learning {
                learner,
                evaluation: search(),
                mixture,
            })
        });
        Self {
            stop_flag: plain.stop_flag(),
            plain,
            learning,
            settings,
            choice: None,
            has_proof: false,
        }
    }

    /// Begins with a network of the same game: it plays by that until it has learned
    /// more. One that does not fit the game of this layout is not used.
    #[must_use]
    pub fn with_network(mut self, learned: LearnedNetwork, layout: &Layout) -> Self {
        self.learning = self.learning.map(|mut learning| {
            let games = learned.games;
            learning.learner = learning.learner.with_network(learned, layout);
            if learning.use_network() {
                self.choice = Some(ChampionChoice {
                    games,
                    loss: None,
                    mixture: None,
                    playouts: None,
                    plays: self.settings.untried(),
                });
            }
            learning
        });
        self
    }

    /// What it learned and by what it plays, once that is decided.
    #[must_use]
    pub fn choice(&self) -> Option<&ChampionChoice> {
        self.choice.as_ref()
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

    /// Searches by evaluation for a part of the time before playouts, and keeps whether
    /// that proves what to play.
    fn search_for_proof(
        &mut self,
        state: &State,
        deadline: Instant,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Option<SearchReport> {
        let search = &mut self.learning.as_mut()?.evaluation;
        let left = deadline.saturating_duration_since(Instant::now());
        let budget = SearchBudget::within(left.mul_f64(PROOF_SHARE));
        let report = run_evaluated(search, state, budget, &self.stop_flag, watch);
        self.has_proof = search.is_exhausted();
        Some(report).filter(|_| self.has_proof)
    }

    /// Learns until the deadline, and decides by what to play.
    fn learn(&mut self, deadline: Instant) {
        let time = deadline.saturating_duration_since(Instant::now());
        let Some(learning) = self.learning.as_mut().filter(|_| time >= LEAST_TIME) else {
            return;
        };
        let learner = &mut learning.learner;
        learner.learn(time.mul_f64(LEARNING_SHARE), &self.stop_flag, &mut |_| {});
        if !learning.use_network() {
            return;
        }
        let mut choice = ChampionChoice {
            games: learning.learner.games(),
            loss: learning.learner.history().last().map(|round| round.loss),
            mixture: None,
            playouts: None,
            plays: self.settings.untried(),
        };
        if self.settings.has_trials {
            let left = deadline.saturating_duration_since(Instant::now());
            let time = left.mul_f64(TRIAL_SHARE);
            choice.decide(learning, &mut self.plain, time, &self.stop_flag);
            // Clear results take little time.
            let left = deadline.saturating_duration_since(Instant::now());
            let left = left.mul_f64(TRIAL_SHARE);
            if choice.plays != ChampionSearch::Playouts && left >= LEAST_TIME {
                learning.learner.learn_on(left, &self.stop_flag);
                learning.use_network();
                choice.games = learning.learner.games();
            }
        }
        self.choice = Some(choice);
    }
}

impl ChampionChoice {
    /// Decides by quick games by what to play: first between the searches by evaluation,
    /// then between the better of them and the search by playouts.
    fn decide(
        &mut self,
        learning: &mut Learning,
        plain: &mut Search,
        time: Duration,
        stop_flag: &StopFlag,
    ) {
        let begun = Instant::now();
        let Learning {
            learner,
            evaluation,
            mixture,
        } = learning;
        let mut better: &mut dyn TrialSearch = evaluation;
        self.plays = ChampionSearch::Evaluation;
        if let Some(mixture) = mixture {
            let mut trials = Trials {
                searches: [better, mixture],
                stop_flag,
            };
            let score = trials.play(time.mul_f64(MIXTURE_SHARE), learner);
            let [evaluation, mixture] = trials.searches;
            self.mixture = Some(score);
            better = evaluation;
            if !score.favours_first() {
                better = mixture;
                self.plays = ChampionSearch::Mixture;
            }
        }
        let mut trials = Trials {
            searches: [better, plain],
            stop_flag,
        };
        let score = trials.play(time.saturating_sub(begun.elapsed()), learner);
        self.playouts = Some(score);
        if !score.favours_first() {
            self.plays = ChampionSearch::Playouts;
        }
    }
}

impl ChampionSettings {
    /// What to play by as long as no quick games have decided.
    fn untried(&self) -> ChampionSearch {
        match self.has_trials || self.mixture == 0.0 {
            true => ChampionSearch::Evaluation,
            false => ChampionSearch::Mixture,
        }
    }
}

/// The greatest goal value of every role.
fn greatest_goals(layout: &Layout) -> Vec<u8> {
    let greatest =
        |goals: &Vec<(i32, _)>| goals.last().map_or(0, |goal| goal.0.clamp(0, 100) as u8);
    layout.goals.iter().map(greatest).collect()
}

impl MoveSearch for Champion {
    fn prepare(
        &mut self,
        _state: &State,
        budget: SearchBudget,
        _watch: &mut dyn FnMut(&SearchReport),
    ) {
        if let SearchBudget::Until(deadline) = budget {
            self.learn(deadline);
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
        let plays = self.choice.map(|choice| choice.plays);
        let search = match (&mut self.learning, plays) {
            (Some(learning), Some(ChampionSearch::Evaluation)) => Some(&mut learning.evaluation),
            (Some(learning), Some(ChampionSearch::Mixture)) => learning.mixture.as_mut(),
            _ => None,
        };
        if let Some(search) = search {
            return run_evaluated(search, state, budget, &self.stop_flag, watch);
        }
        if let (Some(_), SearchBudget::Until(deadline)) = (plays, budget)
            && let Some(report) = self.search_for_proof(state, deadline, watch)
        {
            return report;
        }
        self.plain.run(state, role, budget, watch)
    }

    fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        let mut result = match self.evaluated() {
            Some(evaluated) => evaluated.result(state, role, legal),
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
            learning.learner.move_to(lanes(0));
            learning
                .evaluated()
                .for_each(|search| search.move_to(lanes));
        }
    }
}
