//! Contests between agents: many games of one rule sheet, kept in files, and what they
//! show.
//!
//! A [`schedule`] says which agent plays which role in which game; a [`runner`] plays
//! the games; a [`journal`] keeps them; [`statistics`] turn their goals into scores,
//! intervals and Elo differences. [`contest`] puts these together for one contest or
//! several, [`tournament`] reads many from a file, and [`summary`] and [`report`] print
//! the results.
//!
//! # Examples
//!
//! Statistics need scores only:
//!
//! ```
//! use gdl_contests::statistics::elo;
//! use gdl_contests::statistics::interval::Scores;
//!
//! // Two wins, a draw and a loss.
//! let scores: Scores = [1.0, 1.0, 0.5, 0.0].into_iter().collect();
//! let interval = scores.interval().expect("there are scores");
//! assert_eq!(interval.score, 0.625);
//! assert!(interval.lower < 0.5 && interval.upper > 0.5);
//! assert!((elo::difference(interval.score) - 88.7).abs() < 0.1);
//! ```
//!
//! Twenty games between two agents:
//!
//! ```
//! use gdl_agent::agents::Agent;
//! use gdl_agent::search::TimeControl;
//! use gdl_agent::shared_engine::SharedEngine;
//! use gdl_contests::game_record::GameRecord;
//! use gdl_contests::idle_search::IdleSearch;
//! use gdl_contests::runner::{GameEvent, InterleavedRunner, Runner};
//! use gdl_contests::schedule::Schedule;
//! use gdl_contests::statistics::interval::Scores;
//! use gdl_contests::statistics::score::{mean_goals, score};
//! use gdl_engines::load_builtin;
//! use gdl_runtime::lanes::Width;
//! use std::ops::ControlFlow;
//!
//! let engine = load_builtin("tictactoe", Width::W64).expect("the game is built in");
//! let agents: Vec<Agent> = vec!["uct".parse()?, "random".parse()?];
//! let schedule = Schedule { roles: 2, agents: 2, seed: 1 };
//! let mut runner = InterleavedRunner {
//!     engine: SharedEngine::new(Box::new(engine)),
//!     agents: &agents,
//!     time_control: TimeControl::Simulations(100),
//!     idle: IdleSearch::default(),
//!     rounds: 100,
//!     memory: 1 << 24,
//!     games_per_thread: 10,
//!     threads: 1,
//!     watch: &(),
//! };
//! let mut games = (0..20).map(|number| GameRecord::new(schedule.fixture(number)));
//! let mut scores = Scores::default();
//! runner.play(&mut games, &mut |event| {
//!     if let GameEvent::Finished(game) = event {
//!         let goals = mean_goals(2, [(&game.record.fixture.agents[..], &game.goals[..])]);
//!         scores.add(score(&goals, 0).expect("both agents played"));
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(scores.count, 20);
//! assert!(scores.mean() > Some(0.7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batches;
pub mod budget;
pub mod configuration;
pub mod contest;
pub mod contest_game;
pub mod contest_observer;
pub mod error;
pub mod game_record;
pub mod idle_search;
pub mod journal;
pub mod markdown;
mod match_records;
pub mod options;
mod pending_games;
pub mod published_value;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sequential_test;
pub mod statistics;
pub mod summary;
pub mod tournament;
