//! Monte-Carlo tree search over lane-parallel playouts, and the matches that
//! are played with it.
//!
//! Input: a game behind [`gdl_runtime::engine::Engine`], whatever runs it. Output:
//! a legal move within a budget. A search is put together from parts, each
//! behind its own type: how a node is left ([`selection`]), how a game goes on
//! outside the tree ([`playout`]), whether it is played to its end ([`cutoff`]),
//! how results are credited ([`backup`]), what is proven ([`solver`]), when to
//! stop ([`clock`]). A [`mind`] has a tree and one of each; a [`fleet`] flies the
//! simulations of minds in the lanes of a machine and knows no part by name;
//! [`agents`] reads which parts a player is made of from a text.
//!
//! A playout is never called a rollout, and goals are 0 to 100 throughout.

pub mod agents;
pub mod backup;
mod candidate;
pub mod clock;
pub mod cutoff;
pub mod edge;
pub mod episode;
pub mod fleet;
pub mod flight;
pub mod lane_set;
pub mod matches;
pub mod mind;
pub mod player;
pub mod playout;
pub mod search;
pub mod search_player;
pub mod selection;
pub mod shared_engine;
pub mod solver;
pub mod tree;
