//! What can go wrong with batches of games.

use crate::error::ContestError;
use crate::journal::JournalError;
use gdl_engines::LoadError;
use gdl_network::host::BadPlayerSpec;

/// Why a tournament cannot be played in batches.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A game cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A contest cannot be played or kept.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The text of an agent cannot be read here.
    #[error(transparent)]
    Agent(BadPlayerSpec),
    /// Players on the network play one match at a time, at their own address.
    #[error("{game}: matches with the clocks of a host are not played in batches")]
    Hosted {
        /// The game's name.
        game: String,
    },
    /// A game came back that nobody asked for.
    #[error("game {game} of contest {contest} is not one of this tournament")]
    ForeignGame {
        /// The index of the contest.
        contest: usize,
        /// The index of the game in its schedule.
        game: u64,
    },
}
