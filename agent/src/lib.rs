//! Monte-Carlo tree search over lane-parallel playouts, and the matches that
//! are played with it.
//!
//! Input: a game behind [`gdl_runtime::engine::Engine`], whatever runs it. Output:
//! a legal move within a budget. A search is put together from parts, each
//! behind its own type: how a node is left ([`selection`]), how a game goes on
//! outside the tree ([`playout`]), whether it is played to its end ([`cutoff`]),
//! how results are credited ([`backup`]), what is proven ([`solver`]), when to
//! stop ([`search::budget`]). A [searcher](search::searcher) has a tree and one of each; a
//! [`lane_scheduler`] runs the simulations of searchers in the lanes of a machine and knows no
//! component by name; [`agents`] reads which parts a player is made of from a text.
//!
//! A playout is never called a rollout, and goals are 0 to 100 throughout.

pub mod agents;
pub mod backup;
pub mod component;
pub mod cutoff;
pub mod episode;
pub mod lane_scheduler;
pub mod matches;
pub mod player;
pub mod playout;
pub mod search;
pub mod selection;
pub mod shared_engine;
pub mod solver;
pub mod tree;
