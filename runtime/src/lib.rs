//! The runtime of compiled games, shared by everything that runs games of the Game
//! Description Language (GDL).
//!
//! It defines the interface of an engine ([`engine::Engine`]) and of many positions
//! advanced together ([`engine::Lanes`]), and provides the building blocks of
//! engines: words of one bit per game ([`lanes`]), exactly uniform choice
//! ([`draw`]), choice by weight and playouts ([`machine`]), random numbers
//! ([`random`]). Names of fluents and moves are compared as KIF terms ([`kif`]).
//!
//! The crate has no dependencies, so that a compiled game builds with rustc alone.
//!
//! # Example
//!
//! A game is usually compiled by `gdlc`, which emits code for [`compiled`]. Here its
//! logic is written by hand: a role makes one step, and the game is over.
//!
//! ```
//! use gdl_runtime::engine::Engine as _;
//! use gdl_runtime::lane_engine::LaneEngine;
//! use gdl_runtime::lanes::Width;
//! use gdl_runtime::layout::{BaseRow, Layout, MoveRow, Row};
//! use gdl_runtime::lut_program::LutProgram;
//!
//! let base = |name: &str, initially| BaseRow { name: name.to_owned(), initially };
//! let layout = Layout {
//!     name: "one step".to_owned(),
//!     roles: vec!["walker".to_owned()],
//!     bases: vec![base("(at start)", true), base("(at end)", false)],
//!     // One row per fluent, and none that is computed.
//!     work: 2,
//!     moves: vec![vec![MoveRow {
//!         name: "step".to_owned(),
//!         legal: Row::Base(0),
//!         choice: None,
//!     }]],
//!     legal_order: vec![vec![0]],
//!     terminal: Some(Row::Base(1)),
//!     goals: vec![vec![(100, Row::Base(1))]],
//!     ..Layout::default()
//! };
//! // The next value of `(at end)` is row 0, which holds `(at start)`, and the other way round,
//! // since after a terminal state comes the initial one.
//! let logic = LutProgram { next: vec![1, 0], ..LutProgram::default() };
//! let mut engine = LaneEngine::new("example", layout, logic.programs(), Width::W64)
//!     .expect("64 lanes run on every processor");
//!
//! // Single states.
//! let initial = engine.initial();
//! assert_eq!(engine.facts(&initial), ["(at start)"]);
//! let position = engine.examine(&initial);
//! let step = position.legal[0][0];
//! assert_eq!(engine.move_name(0, step), "step");
//! let next = engine.next(&initial, &[step]);
//! assert!(engine.examine(&next).terminal);
//!
//! // 64 positions at once: a step is `evaluate`, then `advance`.
//! let mut lanes = engine.lanes(1);
//! lanes.evaluate();
//! assert_eq!(lanes.terminal(), [0]);
//! lanes.advance();
//! lanes.evaluate();
//! assert_eq!(lanes.terminal(), [u64::MAX]);
//!
//! // Random games from the initial state.
//! let tally = lanes.playouts(&mut |tally| tally.playouts < 1000);
//! assert_eq!(tally.steps, tally.playouts);
//! assert_eq!(tally.goals, [100 * tally.playouts as i64]);
//! ```

pub mod automorphism;
pub mod bit_rows;
pub mod compiled;
pub mod conditions;
pub mod draw;
pub mod engine;
pub mod factors;
pub mod features;
pub mod goal_conditions;
pub mod kif;
pub mod lane_engine;
pub mod lanes;
pub mod layout;
pub mod lut_program;
pub mod machine;
pub mod moves;
pub mod network;
pub mod perft;
pub mod program;
pub mod programs;
pub mod random;
pub mod reachability;
pub mod sources;
pub mod stop_flag;
pub mod symmetry;
pub mod transpose;
