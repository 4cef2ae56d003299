//! Seats: what a host needs of whoever plays a role.

use crate::protocol::Clocks;
use gdl_agent::player::Thought;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Position, State};
use std::fmt;
use std::time::Instant;

/// What all players of a match hear at its beginning.
pub struct MatchSetup {
    /// The match's name: no blanks, no parentheses.
    pub id: String,
    /// The rule sheet.
    pub rules: String,
    /// The game of these rules.
    pub engine: SharedEngine,
    /// How long players may take.
    pub clocks: Clocks,
}

/// What a player is to move on.
pub struct MoveRequest {
    /// The moves that led here, in role order; none in the first state.
    pub moves: Option<Vec<String>>,
    /// The state, not terminal.
    pub state: State,
    /// Its legal moves.
    pub position: Position,
    /// When the play clock ends. The deadline is later: moves travel.
    pub clock: Instant,
}

/// What a player says.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerAnswer {
    /// A move as KIF, if it is one.
    pub text: String,
    /// The reasons for it, of an agent of our own.
    pub thought: Option<Thought>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerFault {
    /// There was none before the deadline.
    Late,
    /// The player could not be spoken to; why.
    Connection(String),
}

impl PlayerFault {
    /// What the GGP base's records call it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Late => "TO",
            Self::Connection(_) => "CE",
        }
    }
}

impl fmt::Display for PlayerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late => f.write_str("no answer in time"),
            Self::Connection(why) => f.write_str(why),
        }
    }
}

/// Someone who plays a role of a match. Every call answers before its deadline;
/// one that does not is no longer listened to, and the next may come before it
/// ends.
pub trait HostedPlayer: Send + Sync {
    /// The rules, before the match.
    ///
    /// # Errors
    /// If there is no answer.
    fn preview(&self, setup: &MatchSetup, deadline: Instant) -> Result<(), PlayerFault>;

    /// The match begins. Gives the answer, `ready` if all is well.
    ///
    /// # Errors
    /// If there is no answer.
    fn start(&self, setup: &MatchSetup, deadline: Instant) -> Result<String, PlayerFault>;

    /// Asks for a move.
    ///
    /// # Errors
    /// If there is no answer.
    fn play(
        &self,
        setup: &MatchSetup,
        turn: &MoveRequest,
        deadline: Instant,
    ) -> Result<PlayerAnswer, PlayerFault>;

    /// The match has ended with these moves.
    ///
    /// # Errors
    /// If there is no answer.
    fn stop(
        &self,
        setup: &MatchSetup,
        moves: Option<&[String]>,
        deadline: Instant,
    ) -> Result<(), PlayerFault>;

    /// The match is complete up.
    ///
    /// # Errors
    /// If there is no answer.
    fn abort(&self, setup: &MatchSetup, deadline: Instant) -> Result<(), PlayerFault>;
}
