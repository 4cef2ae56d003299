//! Why a session does not do what a page asks for.

use gdl_engines::LoadError;

use crate::records;

/// Why a request fails.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    #[error(transparent)]
    Open(#[from] LoadError),
    #[error(transparent)]
    Record(#[from] records::RecordError),
    #[error(transparent)]
    Agent(#[from] gdl_agent::agents::AgentTextError),
    #[error(transparent)]
    Network(#[from] gdl_agent::learning::file::UnusableNetwork),
    #[error(transparent)]
    Address(#[from] gdl_network::protocol::client::BadAddress),
    #[error("an agent may have at most {0} threads on this machine")]
    TooManyThreads(usize),
    #[error("there is no {0} here")]
    NoEntry(String),
    #[error("no game is open")]
    NoGame,
    #[error("the record is of {0}, which is not among the games here: open its rule sheet first")]
    NoGameOfRecord(String),
    #[error("round {round} of the record cannot be played: {error}")]
    Replay {
        round: usize,
        error: gdl_runtime::moves::JointMoveError,
    },
    #[error("{0}")]
    Refused(&'static str),
}
