//! Monte-Carlo tree search for General Game Playing, over lane-parallel playouts, and
//! matches between agents.
//!
//! Input: a game behind [`gdl_runtime::engine::Engine`], whatever runs it. Output: a
//! legal move within a budget. An [`Agent`](agents::Agent) is written as a text of
//! [components](component): a selection rule ([`selection`]), a rule for simultaneous
//! moves ([`simultaneous`]), playout policies ([`playout`]), a [`cutoff`] of playouts, how
//! results are credited ([`backup`]), whether values are proven ([`solver`]), how other roles
//! search ([`opponents`]). `gdl agents` lists them all.
//!
//! ```
//! use gdl_agent::agents::Agent;
//! use gdl_agent::matches::{Ending, play};
//! use gdl_agent::search::{SearchLimits, TimeControl};
//! # use gdl_engines::{EngineKind, EngineOptions};
//! # use gdlc::source::Source;
//! # // Players take one or two of seven stones; taking the last one wins.
//! # let rules = "
//! #     (role first) (role second)
//! #     (init (stones 7)) (init (control first))
//! #     (after 1 7 6) (after 1 6 5) (after 1 5 4) (after 1 4 3) (after 1 3 2) (after 1 2 1)
//! #     (after 1 1 0) (after 2 7 5) (after 2 6 4) (after 2 5 3) (after 2 4 2) (after 2 3 1)
//! #     (after 2 2 0)
//! #     (other first second) (other second first)
//! #     (<= (legal ?p (take ?k)) (true (control ?p)) (true (stones ?n)) (after ?k ?n ?m))
//! #     (<= (legal ?p wait) (other ?p ?q) (true (control ?q)))
//! #     (<= (next (stones ?m)) (true (stones ?n)) (does ?p (take ?k)) (after ?k ?n ?m))
//! #     (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
//! #     (<= terminal (true (stones 0)))
//! #     (<= (goal ?p 100) (other ?p ?q) (true (control ?q)))
//! #     (<= (goal ?p 0) (true (control ?p)))";
//! # let source = Source::new("stones", rules);
//! # let mut engine = gdl_engines::load(&source, EngineKind::Net, &EngineOptions::default())?;
//! // `engine` runs a game in which players take one or two of seven stones.
//! let (searcher, random): (Agent, Agent) = ("uct(c=30)+mast".parse()?, "random".parse()?);
//! let limits = SearchLimits::default();
//! let mut players = [
//!     searcher.player(&*engine, limits, 1),
//!     random.player(&*engine, limits, 2),
//! ];
//! // 500 simulations per move, at most 100 rounds.
//! let budget = TimeControl::Simulations(500);
//! let played = play(&mut *engine, &mut players, budget, 100, &mut |_, _| {})?;
//! assert_eq!((played.ending, &played.goals[..]), (Ending::Terminal, &[100, 0][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! - [`agents`]: agents and their texts; [`agents::registry`] lists all components and explains
//!   how to add one.
//! - [`component`]: what a component is, and the builder it writes into.
//! - [`search`]: [`Search`](search::Search) and its parts: the
//!   [searcher](search::searcher) with its tree and budget, the
//!   [cost model](search::cost_model), worker threads, results.
//! - [`lane_scheduler`]: runs the simulations of searchers in the lanes of a machine:
//!   selection, expansion, policy application, backup.
//! - [`tree`]: the search graph with its statistics.
//! - [`player`] and [`matches`](mod@matches): players, and matches between them.
//!
//! A playout is never called a rollout, and goals are 0 to 100 throughout.

pub mod agents;
pub mod backup;
pub mod champion;
pub mod closed;
pub mod component;
pub mod credit;
pub mod cutoff;
mod drawing;
pub mod episode;
pub mod expander;
pub mod factored;
pub mod growth;
mod joint_table;
pub mod lane_scheduler;
pub mod learning;
pub mod matches;
mod odds;
pub mod opponents;
pub mod player;
pub mod playout;
pub mod puct;
mod reach;
pub mod search;
pub mod selection;
pub mod shared_engine;
pub mod simultaneous;
pub mod solver;
mod state_hash;
pub mod symmetric;
pub mod tree;
