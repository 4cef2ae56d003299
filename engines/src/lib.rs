//! Engines that play games of the Game Description Language.
//!
//! An engine answers all questions about a game (its roles, states, legal moves and goals) and
//! plays random games (see [`Engine`](gdl_runtime::engine::Engine)). This crate loads a rule sheet
//! into one of the engines of [`EngineKind`]: the [`reference`](mod@reference) interpreter, the
//! [`propnet`] that [`gdlc`] assembles, or [`native`] code compiled by rustc.
//!
//! ```
//! use gdl_engines::{EngineKind, EngineOptions};
//! use gdlc::source::Source;
//!
//! // The players take one of two stones in turn; taking the last one wins.
//! let rules = "
//!     (role first) (role second)
//!     (init (stones 2)) (init (control first))
//!     (after 2 1) (after 1 0) (other first second) (other second first)
//!     (<= (legal ?p take) (true (control ?p)))
//!     (<= (legal ?p wait) (other ?p ?q) (true (control ?q)))
//!     (<= (next (stones ?m)) (true (stones ?n)) (after ?n ?m))
//!     (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
//!     (<= terminal (true (stones 0)))
//!     (<= (goal ?p 100) (other ?p ?q) (true (control ?q)))
//!     (<= (goal ?p 0) (true (control ?p)))";
//! let source = Source::new("stones", rules);
//! let engine = gdl_engines::load(&source, EngineKind::Net, &EngineOptions::default())?;
//! assert_eq!(engine.roles(), ["first", "second"]);
//!
//! // Random playouts; the second player always takes the last stone.
//! let mut lanes = engine.lanes(1);
//! let tally = lanes.playouts(&mut |tally| tally.playouts < 1000);
//! assert_eq!(tally.goals[1], 100 * tally.playouts as i64);
//! # Ok::<(), gdl_engines::LoadError>(())
//! ```
//!
//! In addition, [`input`] reads rule sheets, [`whole_file`] replaces files, and [`trace`] records
//! playouts and replays them on another engine.

mod builtin;
mod cache_folder;
mod conditions;
pub mod digest;
mod engine_kind;
mod factors;
mod game;
mod goal_conditions;
pub mod input;
mod load;
pub mod native;
pub mod propnet;
mod reachability;
pub mod reference;
mod small_games;
mod structure;
mod symmetries;
pub mod trace;
pub mod whole_file;

pub use builtin::{builtin, load_builtin};
pub use cache_folder::cache_folder;
pub use engine_kind::EngineKind;
pub use game::{EngineOptions, GameSize, LoadError, LoadedEngine};
pub use load::{load, load_timed, open, open_builtin, open_source, open_with_rules};
pub use structure::find_structure_later;
