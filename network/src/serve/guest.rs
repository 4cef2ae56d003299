//! Agents supplied by whoever runs the server, such as agents written in other languages.

use gdl_agent::agents::Agent;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Move, Role, State};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// An agent that is not made of the components of [`gdl_agent`].
///
/// Nobody waits for it: an answer that comes too late is dropped, and a fallback move is played.
pub trait GuestAgent: fmt::Debug + Send + Sync {
    /// Its name in records.
    fn name(&self) -> String;

    /// Its player in one match, given the rules and an engine that numbers states and moves.
    /// A match that continues on another engine asks for a new player.
    ///
    /// # Errors
    /// If it cannot play on this engine.
    fn player(
        &self,
        rules: &str,
        engine: SharedEngine,
    ) -> Result<Box<dyn GuestPlayer>, GuestFailure>;
}

/// A guest in one match, on the thread that searches.
pub trait GuestPlayer: Send {
    /// Prepares for a match that begins in a state, until the start clock is over.
    ///
    /// # Errors
    /// If it fails; it is still asked for moves.
    fn prepare(&mut self, turn: &GuestTurn<'_>) -> Result<(), GuestFailure>;

    /// Chooses a move in a state in which its role has several.
    ///
    /// # Errors
    /// If it fails; a fallback move is played then, as for a move that is not legal.
    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<Move, GuestFailure>;
}

/// What a guest is asked about.
#[derive(Debug, Clone, Copy)]
pub struct GuestTurn<'a> {
    /// The state.
    pub state: &'a State,
    /// The role whose move is asked for.
    pub role: Role,
    /// When the answer is needed.
    pub until: Instant,
}

/// A guest has failed, for this reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GuestFailure(pub String);

/// The agent of a player on the network.
#[derive(Debug, Clone)]
pub enum ServedAgent {
    /// One made of components, which thinks in the opponents' time, too.
    Components(Agent),
    /// A guest.
    Guest(Arc<dyn GuestAgent>),
}

impl From<Agent> for ServedAgent {
    fn from(agent: Agent) -> Self {
        Self::Components(agent)
    }
}

impl fmt::Display for ServedAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Components(agent) => agent.fmt(f),
            Self::Guest(guest) => f.write_str(&guest.name()),
        }
    }
}
