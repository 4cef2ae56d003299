//! Hosts matches between players that speak the GGP protocol and agents in this
//! process.
//!
//! A [`HostedMatch`] is made of a game, its rule sheet and one [`HostedPlayer`] per
//! role; playing it yields a [`MatchOutcome`]. All players are asked at the same time
//! and have until an absolute deadline. The match goes on whatever a player does: an
//! answer that is late, missing or illegal is replaced by a random legal move.

mod ask_all;
pub mod clocks;
mod hosted_match;
mod hosted_player;
mod local;
mod player_names;
mod player_spec;
mod remote;
mod scramble;
#[cfg(test)]
mod tests;

pub use hosted_match::{HostedMatch, MatchOutcome, Watch};
pub use hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
pub use local::LocalPlayer;
pub use player_names::{AbsentPlayer, player_names};
pub use player_spec::{BadPlayerSpec, PlayerSpec, RoleAssignment};
pub use remote::RemotePlayer;
pub use scramble::Scramble;
