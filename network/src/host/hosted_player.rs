//! The interface between a host and the players of its matches.

use crate::protocol::Clocks;
use gdl_agent::search::SearchResult;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Position, State};
use std::time::Instant;

/// What all players of a match are told at its start.
pub struct MatchSetup {
    /// The name of the match, without blanks and parentheses.
    pub id: String,
    /// The rule sheet.
    pub rules: String,
    /// The game of the rule sheet.
    pub engine: SharedEngine,
    /// The clocks of the match.
    pub clocks: Clocks,
}

/// A request for a move.
pub struct MoveRequest {
    /// The moves of the last round, in role order; `None` in the initial state.
    pub moves: Option<Vec<String>>,
    /// The current state, which is not terminal.
    pub state: State,
    /// The legal moves of the state.
    pub position: Position,
    /// When the play clock ends. The deadline of the request is later, to allow for
    /// transmission.
    pub clock: Instant,
}

/// A player's answer to a move request.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerAnswer {
    /// The answer as received: a move as KIF, if the player is sound.
    pub text: String,
    /// The reasons for the move, if the player is an agent in this process.
    pub result: Option<SearchResult>,
}

/// The reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// There was no answer before the deadline.
    #[error("no answer in time")]
    Late,
    /// The player could not be reached, or did not reply properly; the text says which.
    #[error("{0}")]
    Connection(String),
}

impl PlayerFault {
    /// The error code of ggp-base's match records.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Late => "TO",
            Self::Connection(_) => "CE",
        }
    }
}

/// A player of a hosted match. Every call should return before its deadline; a host
/// ignores later results, and may make the next call while one is still running.
///
/// # Errors
/// All methods fail if the player does not answer.
pub trait HostedPlayer: Send + Sync {
    /// Sends the rules before the match.
    fn preview(&self, setup: &MatchSetup, deadline: Instant) -> Result<(), PlayerFault>;

    /// Starts the match, and returns the answer, which is `ready` if all is well.
    fn start(&self, setup: &MatchSetup, deadline: Instant) -> Result<String, PlayerFault>;

    /// Requests a move.
    fn play(
        &self,
        setup: &MatchSetup,
        request: &MoveRequest,
        deadline: Instant,
    ) -> Result<PlayerAnswer, PlayerFault>;

    /// Reports the end of the match after the given moves of the last round.
    fn stop(
        &self,
        setup: &MatchSetup,
        moves: Option<&[String]>,
        deadline: Instant,
    ) -> Result<(), PlayerFault>;

    /// Aborts the match.
    fn abort(&self, setup: &MatchSetup, deadline: Instant) -> Result<(), PlayerFault>;
}
