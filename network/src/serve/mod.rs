//! A player on the network, which plays matches for hosts of the GGP protocol.
//!
//! Every message arrives on a connection of its own and is answered in time, whatever
//! happens. The [`Server`] runs one thread per connection; the [`MatchRegistry`] holds
//! the matches. A match has four threads: its actor (`match_actor`) follows the match
//! and answers, its search (`search_thread`) thinks, its loader (`loader`) loads ever
//! faster engines, and its `record_writer` keeps the record on disk. Messages and engines
//! reach the actor as commands through the `match_handle`; the actor tells the search what
//! to think about. An `engine_game` is the state of the match on one engine, and an
//! `agent_player` chooses the moves, or a `guest`, an agent that the caller supplies.
//!
//! Rules, names and moves from the network are hostile until checked: reading is
//! bounded and has deadlines, compiling has budgets, and no text from the network
//! becomes part of a path.

mod agent_player;
mod engine_game;
mod events;
mod guest;
mod loader;
mod margin;
mod match_actor;
mod match_handle;
mod match_observer;
mod match_parameters;
mod match_registry;
mod permits;
mod player_event;
mod publication;
mod record_writer;
mod recorder;
mod search_task;
mod search_thread;
mod server;
#[cfg(test)]
mod tests;

pub use events::Events;
pub use guest::{GuestAgent, GuestFailure, GuestPlayer, GuestTurn, ServedAgent};
pub use match_observer::{MatchObserver, ServedFacts, ServedState};
pub use match_registry::{MatchRegistry, PlayerSettings, Response};
pub use player_event::PlayerEvent;
pub use server::{Server, ServerError};
