//! A player on the network: plays matches of the GGP protocol.
//!
//! In: connections of hosts, a message each. Out: replies, in time whatever
//! happens. The [`server`] has a thread a connection, the [`registry`] the matches. A
//! match has three threads: one keeps its command and answers (`actor`), one searches
//! (`searcher`), and one loads ever faster engines (`loader`). Messages and engines
//! are commands to the first (`handle`), which tells the second what to think about.
//! The state of a match on an engine is a `game`; who chooses moves is a `player`.
//!
//! Rules, names and moves from the network are hostile until checked: reading is
//! capped and has deadlines, compiling has budgets, and nothing of theirs becomes
//! part of a path.

mod agent_player;
mod engine_game;
pub mod events;
mod loader;
mod margin;
mod match_actor;
mod match_handle;
pub mod match_registry;
mod permits;
mod recorder;
mod search_thread;
pub mod server;
