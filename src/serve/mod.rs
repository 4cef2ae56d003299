//! A player on the network: plays matches of the GGP protocol.
//!
//! In: connections of hosts, a message each. Out: replies, in time whatever
//! happens. [`server`] has a thread a connection, [`lobby`] the matches, each with a
//! thread that thinks ([`thinker`]) and one that loads ever faster engines for it
//! ([`loader`]): messages and engines are commands to the first ([`ongoing`]), which
//! interrupt its search. What is thought about is a [`course`], the match on an
//! engine; who chooses moves is a [`chooser`].
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
pub mod server;
mod thinker;
