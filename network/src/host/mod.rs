//! Hosting: matches between players that speak the GGP protocol and agents of our
//! own.
//!
//! In: a game, its rule sheet as a text, and a [`HostedPlayer`] a role. Out: a
//! [`MatchOutcome`] match. All players are asked at the same time and have until an
//! absolute deadline; whatever a player does, the match goes on, with a random
//! legal move in assignment of an answer that is late, missing or illegal.

mod ask_all;
pub mod clocks;
mod hosted_match;
mod hosted_player;
mod interrupt;
mod local;
mod player_names;
mod player_spec;
mod remote;
mod scramble;
#[cfg(test)]
mod tests;

pub use hosted_match::{HostedMatch, MatchOutcome, Watch};
pub use hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
pub use interrupt::Interrupt;
pub use local::LocalPlayer;
pub use player_names::player_names;
pub use player_spec::{PlayerSpec, RoleAssignment};
pub use remote::RemotePlayer;
pub use scramble::Scramble;
