//! Games of the Game Description Language as environments for reinforcement learning: any
//! number of games of one rule sheet, advanced together by the moves that a caller gives.
//!
//! A [`VectorEnvironment`] has a lane of an engine's machine for each game. A step takes an
//! action for each and writes, into buffers of the caller, what is observed: fluents or
//! [planes](PlaneLayout) as bytes or as packed bits, the legal actions, rewards, ends. What
//! is done with games that end is set by an [`Autoreset`].
//!
//! Actions are the engine's numbers of moves, a numbering for each role
//! ([`ActionSpace`]). Where the rules let one role choose at a time, an environment takes one
//! action, that of the [current player](StepBuffers::players); otherwise one for every role.
//!
//! In addition, [`sample_actions`] draws legal actions uniformly, [`Rollouts`] plays random games
//! from given states, and [`BatchSearch`] searches the trees of many games by an evaluation.
//!
//! ```
//! use gdl_engines::load_builtin;
//! use gdl_environments::{EnvironmentOptions, StepTables, VectorEnvironment, sample_actions};
//! use gdl_runtime::lanes::Width;
//!
//! let engine = load_builtin("tictactoe", Width::W64).expect("the game is built in");
//! let options = EnvironmentOptions { environments: 100, ..EnvironmentOptions::default() };
//! let mut games = VectorEnvironment::new(&engine, options)?;
//! let mut tables = StepTables::new(games.shape());
//! games.reset(None, &mut tables.buffers())?;
//! let mut actions = vec![0; 100];
//! for step in 0..5 {
//!     sample_actions(&tables.masks, games.shape().mask_row(), step, &mut actions);
//!     games.step(&actions, &mut tables.buffers())?;
//! }
//! // The first player has made three marks; some have a line.
//! let won = tables.rewards.iter().step_by(2).filter(|&&reward| reward == 1.0).count();
//! assert_eq!(won, tables.terminated.iter().filter(|&&ended| ended == 1).count());
//! # Ok::<(), gdl_environments::EnvironmentError>(())
//! ```

mod actions;
mod bits;
mod block;
mod buffers;
mod choosing;
mod error;
mod options;
mod planes;
mod rollouts;
mod sampling;
mod showing;
mod tree_search;
mod turns;
mod vector;

pub use actions::ActionSpace;
pub use bits::MaskRow;
pub use buffers::{FinalBuffers, StepBuffers, StepTables, VectorShape};
pub use error::EnvironmentError;
pub use options::{Autoreset, EnvironmentOptions, Observation, RewardScale};
pub use planes::{ChannelKind, PlaneChannel, PlaneLayout};
pub use rollouts::{RolloutTable, Rollouts};
pub use sampling::sample_actions;
pub use tree_search::{BatchOptions, BatchSearch, LeafTables};
pub use turns::TurnOrder;
pub use vector::VectorEnvironment;
