//! Searches for one player: trees, and the machines that run their simulations.
//!
//! Usually that is one tree and one machine. Several threads can share a tree, each
//! with a machine of its own, and take turns at it; and there can be several trees
//! that know nothing of each other, whose results are merged (`root_merge`).
//!
//! A search can be stopped by its [`StopFlag`], and moved to other machines between
//! two runs. Simulations that a run leaves in flight continue in the next run if it
//! searches the same state for the same role, so that long ones are not lost when a
//! search is stopped.
//!
//! With one thread per tree and a budget in simulations, a search can be repeated:
//! everything follows from the seeds and the number of lanes.

pub mod budget;
mod candidate;
pub mod cost_model;
pub mod evaluation;
pub mod growth;
mod mixture;
pub mod move_search;
pub mod report;
pub mod result;
pub mod root_merge;
pub mod searcher;
pub mod settings;
pub mod two_level;
mod workers;

pub use budget::{SearchBudget, TimeControl};
pub use evaluation::MoveEvaluation;
pub use report::SearchReport;
pub use result::SearchResult;
pub use settings::{SearchLimits, SearchSettings};

use gdl_runtime::engine::{Engine, Lanes, Role, State};
use gdl_runtime::stop_flag::StopFlag;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::lane_scheduler::{LaneAssignment, LaneScheduler};
use crate::tree::SearchTree;
use root_merge::RootMerge;
use searcher::Searcher;
use two_level::TwoLevel;
use workers::{TreeWorkers, run_all};

/// The component that gives a tree several threads.
pub const THREADS: Component = Component {
    name: "threads",
    slot: Slot::Threads,
    summary: "several threads on one tree (tree parallelisation): they take turns at it, and \
              simulations in flight count as visits and, with virtual loss, as lost, so that \
              other threads go elsewhere; a champion also learns on them",
    source: "Chaslot, Winands and van den Herik 2008",
    parameters: &[
        Parameter {
            name: "n",
            meaning: "threads",
            kind: ParameterKind::Number {
                default: 2.0,
                range: 1.0..=256.0,
            },
        },
        Parameter {
            name: "loss",
            meaning: "virtual loss: the number of lost simulations that one in flight counts as",
            kind: ParameterKind::Number {
                default: 0.0,
                range: 0.0..=100.0,
            },
        },
    ],
    build: |builder, values, _| {
        builder.settings.threads = values.get(0) as usize;
        builder.settings.virtual_loss = values.get(1);
    },
};

/// The component that gives an agent several trees.
pub const TREES: Component = Component {
    name: "trees",
    slot: Slot::Trees,
    summary: "several trees, each with a thread of its own (root parallelisation); they share \
              the budget, and what they know of the moves at the root is merged",
    source: "Cazenave and Jouandeau 2007; Méhat and Cazenave 2011",
    parameters: &[
        Parameter {
            name: "n",
            meaning: "trees",
            kind: ParameterKind::Number {
                default: 2.0,
                range: 1.0..=256.0,
            },
        },
        Parameter {
            name: "by",
            meaning: "sum: returns and visits are added up; sum10: those of each tree's ten best \
                      moves; best: the highest average; raw: the average of averages",
            kind: ParameterKind::Choice {
                names: RootMerge::NAMES,
            },
        },
    ],
    build: |builder, values, _| {
        builder.trees = values.get(0) as usize;
        builder.settings.root_merge = values.text(1).map(RootMerge::named).unwrap_or_default();
    },
};

/// The component that chooses the final move by two levels of the tree.
pub const TWO_LEVEL: Component = Component {
    name: "two-level",
    slot: Slot::FinalMove,
    summary: "the final move is the one with the highest value after the best reply to it, by \
              averages; where several roles choose at once, its own average counts too; for games \
              of two roles",
    source: "Świechowski and Mańdziuk 2014",
    parameters: &[
        Parameter {
            name: "weight",
            meaning: "the weight of the lowest value that follows, where several roles choose",
            kind: ParameterKind::Number {
                default: 0.5,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "least",
            meaning: "visits below which a reply does not count",
            kind: ParameterKind::Number {
                default: 3.0,
                range: 1.0..=1e6,
            },
        },
    ],
    build: |builder, values, _| {
        builder.settings.two_level = Some(TwoLevel {
            weight: values.get(0),
            least: values.get(1) as u32,
        });
    },
};

/// The search of one player: one or several trees with their machines.
pub struct Search {
    trees: Vec<TreeWorkers>,
    stop_flag: StopFlag,
}

impl Search {
    /// A search with one tree on these lanes, of a game that begins in `initial`.
    #[must_use]
    pub fn new(
        lanes: Box<dyn Lanes>,
        initial: &State,
        settings: SearchSettings,
        seed: u64,
    ) -> Self {
        let schedulers = vec![LaneScheduler::new(lanes, LaneAssignment::SingleSearcher)];
        Self {
            trees: vec![TreeWorkers::new(schedulers, initial, settings, seed)],
            stop_flag: StopFlag::default(),
        }
    }

    /// A search with one tree for each of the settings, all of the same agent, and as
    /// many machines for each tree as its settings have threads. `lanes` makes a
    /// machine from a seed.
    #[must_use]
    pub fn parallel(
        trees: Vec<SearchSettings>,
        lanes: &dyn Fn(u64) -> Box<dyn Lanes>,
        initial: &State,
        seed: u64,
    ) -> Self {
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(seed);
        let workers = |settings: SearchSettings| {
            let threads = 0..settings.threads.max(1);
            let scheduler =
                |_| LaneScheduler::new(lanes(seeds.random()), LaneAssignment::SingleSearcher);
            let schedulers = threads.map(scheduler).collect();
            TreeWorkers::new(schedulers, initial, settings, seeds.random())
        };
        Self {
            trees: trees.into_iter().map(workers).collect(),
            stop_flag: StopFlag::default(),
        }
    }

    /// As [`parallel`](Self::parallel), on machines of an engine, from its initial state.
    #[must_use]
    pub fn on_engine(engine: &dyn Engine, trees: Vec<SearchSettings>, seed: u64) -> Self {
        Self::parallel(trees, &|seed| engine.lanes(seed), &engine.initial(), seed)
    }

    /// The flag that stops this search from another thread.
    #[must_use]
    pub fn stop_flag(&self) -> StopFlag {
        self.stop_flag.clone()
    }

    /// Replaces the flag that stops this search.
    pub fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        self.stop_flag = stop_flag;
    }

    /// Moves the search to other machines, which `lanes` makes from seeds: machines
    /// of the same game that number and list states and moves alike. All knowledge
    /// is kept; simulations in flight are abandoned.
    pub fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.trees
            .iter_mut()
            .for_each(|workers| workers.move_to(lanes));
    }

    /// Clears the trees. What components have learned elsewhere, such as playout
    /// policies, is kept.
    pub fn forget(&mut self) {
        for workers in &mut self.trees {
            workers.abandon();
            workers.searcher.tree.clear();
            workers.searcher.root = None;
        }
    }

    /// Limits all trees together to this many bytes from now on. Those that take more already are
    /// cleared.
    pub fn set_memory(&mut self, bytes: usize) {
        let each = bytes / self.trees.len().max(1);
        for workers in &mut self.trees {
            if workers.searcher.tree.bytes() > each {
                workers.abandon();
                workers.searcher.root = None;
            }
            workers.searcher.tree.set_limit(each);
        }
    }

    /// Whether further search cannot change the choice: everything that matters to it
    /// below the last searched state is proven.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.searchers().all(Searcher::is_exhausted)
    }

    /// The tree of the first searcher.
    #[must_use]
    pub fn tree(&self) -> &SearchTree {
        self.trees[0].searcher.tree()
    }

    /// The searchers, one per tree.
    pub fn searchers(&self) -> impl Iterator<Item = &Searcher> + Clone {
        self.trees.iter().map(|workers| &workers.searcher)
    }

    /// Searches for a role's move in a state, which must not be terminal, until the
    /// budget is spent, the search [is exhausted](Self::is_exhausted) or the
    /// [stop flag](Self::stop_flag) is set. Earlier knowledge about that state and its
    /// successors is used. `watch` is called about ten times per second.
    pub fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let shares = budget.split(self.trees.len());
        for (workers, share) in self.trees.iter_mut().zip(shares) {
            workers.begin(state, role, share);
        }
        run_all(&mut self.trees, &self.stop_flag, watch);
        let reports = self.searchers().map(Searcher::report);
        reports.reduce(SearchReport::join).unwrap_or_default()
    }
}
