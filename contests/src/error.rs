//! Why a contest cannot be played.

use crate::journal::JournalError;
use gdl_agent::learning::file::UnusableNetwork;
use gdl_agent::matches::MatchError;
use std::io;
use std::path::PathBuf;

/// Why a contest cannot be played or kept.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file that an agent names cannot be used in the game.
    #[error(transparent)]
    Network(#[from] UnusableNetwork),
    /// A file that is none of a contest's journals cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// There are more agents than roles in a game of several roles.
    #[error(
        "{game} has {roles} roles: {agents} agents cannot meet in it, but a tournament lets \
         them meet in pairs"
    )]
    TooManyAgents {
        /// The game's name.
        game: String,
        /// The number of its roles.
        roles: usize,
        /// The number of agents.
        agents: usize,
    },
    /// A remote player is to play on a budget other than clocks.
    #[error(
        "remote players play by clocks: give a start clock and a play clock, not simulations \
         or time"
    )]
    RemoteWithoutClocks,
    /// A remote player is to play a game whose rule sheet is not known.
    #[error("remote players need the rule sheet of {game}, not its name")]
    RemoteWithoutRules {
        /// The game's name.
        game: String,
    },
    /// A remote player would have to play several roles at a time.
    #[error("{game} has {roles} roles, and a remote player plays one of them at a time")]
    RemoteAtSeveralRoles {
        /// The game's name.
        game: String,
        /// The number of its roles.
        roles: usize,
    },
    /// Players are to search while they have nothing to decide, on a budget of time.
    #[error(
        "a start clock in simulations or steps and searches on forced plies need moves with \
         simulations or steps"
    )]
    IdleSearchWithoutCount,
    /// A game could not be played to its end.
    #[error("{game} cannot be played on")]
    Match {
        /// The game's name.
        game: String,
        /// Why not.
        source: MatchError,
    },
}
