//! Monte-Carlo tree search over lane-parallel playouts, and the matches that
//! are played with it.
//!
//! Input: a game behind [`runtime::engine::Engine`], whatever runs it. Output:
//! a legal move within a budget. A search is put together from parts, each
//! behind its own type: how a node is left ([`selection`]), how a game goes on
//! outside the tree ([`playout`]), how results are credited ([`backup`]), what
//! is proven ([`solver`]), when to stop ([`clock`]). [`search`] is the loop
//! that runs them and knows none of them by name.
//!
//! A playout is never called a rollout, and goals are 0 to 100 throughout.

pub mod backup;
pub mod clock;
pub mod contest;
pub mod edge;
pub mod lane_set;
pub mod matches;
pub mod player;
pub mod playout;
pub mod search;
pub mod selection;
pub mod solver;
pub mod tree;

mod flight;
