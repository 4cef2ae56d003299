//! A player on the network: plays matches of the GGP protocol.
//!
//! In: connections of hosts, a message each. Out: replies, in time whatever
//! happens. The [`server`] has a thread a connection, the [`lobby`] the matches. A
//! match has three threads: one keeps its order and answers (`referee`), one searches
//! (`searcher`), and one loads ever faster engines (`loader`). Messages and engines
//! are commands to the first (`ongoing`), which tells the second what to think about.
//! The state of a match on an engine is a `course`; who chooses moves is a `chooser`.
//!
//! Rules, names and moves from the network are hostile until checked: reading is
//! capped and has deadlines, compiling has budgets, and nothing of theirs becomes
//! part of a path.

mod chooser;
mod course;
pub mod events;
mod keeper;
mod loader;
pub mod lobby;
mod margin;
mod ongoing;
mod places;
mod referee;
mod searcher;
pub mod server;
