//! The champion: learns an evaluation of the game in the start clock, and then plays by
//! whatever won quick games against the other: search by that evaluation, or search by
//! playouts.

pub mod settings;
mod trials;

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Lanes, Move, Role, State};
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::learning::{LearnedNetwork, Learner};
use crate::puct::{EvaluatedSearch, PuctCounts, PuctSettings};
use crate::search::move_search::MoveSearch;
use crate::search::{Search, SearchBudget, SearchReport, SearchResult};
use crate::selection::uct::Uct;
use settings::ChampionSettings;
use trials::{TrialScore, Trials};

/// The component.
pub const COMPONENT: Component = Component {
    name: "champion",
    slot: Slot::Selection,
    summary: "learns to evaluate the states of the game in the start clock, from games against \
              itself; quick games then decide whether it searches by that evaluation (PUCT) or \
              by playouts (UCT, with the other components of the agent)",
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
            meaning: "1: quick games decide by what it plays; 0: it plays by evaluation",
            kind: ParameterKind::Number {
                default: 1.0,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "mix",
            meaning: "the weight of random games in the value of a leaf, 0 to 1",
            kind: ParameterKind::Number {
                default: 0.0,
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
            playouts: values.get(3) as f32,
        });
        builder.network = values.text(4).map(PathBuf::from);
    },
};

/// The share of the start clock for learning; most of the rest is for quick games.
const LEARNING_SHARE: f64 = 0.65;

/// The share of the time after learning for quick games.
const TRIAL_SHARE: f64 = 0.9;

/// Less than this is not enough to learn anything.
const LEAST_TIME: Duration = Duration::from_millis(300);

/// The interval at which a watcher is told about a search.
const WATCH: Duration = Duration::from_millis(100);

/// What a champion learned, and by what it plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChampionChoice {
    /// The number of games that it learned from.
    pub games: u64,
    /// The mean cross entropy of results that it had not seen, at the end; `None` if it
    /// only knows the network that it was given.
    pub loss: Option<f32>,
    /// The result of quick games against the search by playouts, if there were any.
    pub trials: Option<TrialScore>,
    /// Whether it plays by evaluation.
    pub by_evaluation: bool,
}

impl fmt::Display for ChampionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "learned from {} games", self.games)?;
        if let Some(loss) = self.loss {
            write!(f, ", loss {loss:.3}")?;
        }
        if let Some(trials) = &self.trials {
            write!(f, "; evaluation against playouts in quick games: {trials}")?;
        }
        let by = if self.by_evaluation {
            "evaluation"
        } else {
            "playouts"
        };
        write!(f, "; plays by {by}")
    }
}

/// A search that learns an evaluation.
pub struct Champion {
    plain: Search,
    /// `None` if the game cannot be learned.
    learning: Option<Learning>,
    settings: ChampionSettings,
    stop_flag: StopFlag,
    choice: Option<ChampionChoice>,
}

/// What a game that can be learned needs.
struct Learning {
    learner: Learner,
    evaluated: EvaluatedSearch,
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
                playouts: settings.playouts,
                memory,
                ..PuctSettings::default()
            };
            let words = initial.0.len();
            let greatest = greatest_goals(&layout);
            let evaluated = EvaluatedSearch::new(engine.lanes(seed), words, greatest, puct);
            Some(Learning { learner, evaluated })
        });
        Self {
            stop_flag: plain.stop_flag(),
            plain,
            learning,
            settings,
            choice: None,
        }
    }

    /// Begins with a network of the same game: it plays by that until it has learned
    /// more. One that does not fit the game of this layout is not used.
    #[must_use]
    pub fn with_network(mut self, learned: LearnedNetwork, layout: &Layout) -> Self {
        self.learning = self.learning.map(|mut learning| {
            let games = learned.games;
            learning.learner = learning.learner.with_network(learned, layout);
            let learner = &learning.learner;
            if let Some(network) = learner.network() {
                (learning.evaluated).set_network(network, learner.features());
                self.choice = Some(ChampionChoice {
                    games,
                    loss: None,
                    trials: None,
                    by_evaluation: true,
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

    /// The search by evaluation, if it plays by that.
    fn evaluated(&self) -> Option<&EvaluatedSearch> {
        let by_evaluation = self.choice.is_some_and(|choice| choice.by_evaluation);
        let learning = self.learning.as_ref().filter(|_| by_evaluation)?;
        Some(&learning.evaluated)
    }

    /// Learns until the deadline, and decides by what to play.
    fn learn(&mut self, deadline: Instant) {
        let time = deadline.saturating_duration_since(Instant::now());
        let Some(learning) = self.learning.as_mut().filter(|_| time >= LEAST_TIME) else {
            return;
        };
        let learner = &mut learning.learner;
        learner.learn(time.mul_f64(LEARNING_SHARE), &self.stop_flag, &mut |_| {});
        let Some(network) = learner.network() else {
            return;
        };
        learning.evaluated.set_network(network, learner.features());
        let trials = self.settings.has_trials.then(|| {
            let left = deadline.saturating_duration_since(Instant::now());
            let trials = Trials {
                plain: &mut self.plain,
                evaluated: &mut learning.evaluated,
                length: learner.mean_length(),
                stop_flag: &self.stop_flag,
            };
            trials.play(left.mul_f64(TRIAL_SHARE), learner)
        });
        self.choice = Some(ChampionChoice {
            games: learner.games(),
            loss: learner.history().last().map(|round| round.loss),
            by_evaluation: trials.is_none_or(|trials| trials.favours_evaluation()),
            trials,
        });
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
        let by_evaluation = self.choice.is_some_and(|choice| choice.by_evaluation);
        let stop_flag = self.stop_flag.clone();
        match &mut self.learning {
            Some(learning) if by_evaluation => {
                run_evaluated(&mut learning.evaluated, state, budget, &stop_flag, watch)
            }
            _ => self.plain.run(state, role, budget, watch),
        }
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
            learning.evaluated.move_to(lanes(0));
        }
    }
}

/// Searches by evaluation within a budget, in which a descent counts as a simulation.
fn run_evaluated(
    search: &mut EvaluatedSearch,
    state: &State,
    budget: SearchBudget,
    stop_flag: &StopFlag,
    watch: &mut dyn FnMut(&SearchReport),
) -> SearchReport {
    let begun = Instant::now();
    search.set_root(state);
    let before = search.counts();
    let mut next_watch = WATCH;
    search.run(&mut |counts| {
        let is_spent = match budget {
            SearchBudget::Until(deadline) => Instant::now() >= deadline,
            SearchBudget::Simulations(limit) => counts.descents - before.descents >= limit,
            SearchBudget::Steps(limit) => counts.steps - before.steps >= limit,
        };
        let elapsed = begun.elapsed();
        if elapsed >= next_watch {
            next_watch = elapsed + WATCH;
            watch(&report(counts, &before, elapsed));
        }
        !is_spent && !stop_flag.is_raised()
    });
    report(&search.counts(), &before, begun.elapsed())
}

/// What a search did between two counts.
fn report(counts: &PuctCounts, before: &PuctCounts, elapsed: Duration) -> SearchReport {
    let descents = counts.descents - before.descents;
    SearchReport {
        simulations: descents,
        evaluations: counts.evaluations - before.evaluations,
        known: counts.known - before.known,
        batches: counts.batches - before.batches,
        elapsed,
        nodes: counts.nodes,
        bytes: counts.bytes,
        deepest: counts.deepest,
        tree_steps: counts.steps - before.steps,
        ..SearchReport::default()
    }
}
