//! Contests kept in files: every game is appended to a journal as it ends, and
//! whatever is known of a contest can be computed from its journal alone.
//!
//! The first line of a journal is the contest's
//! [`ContestConfiguration`](crate::configuration::ContestConfiguration), every other
//! line a [`GameLine`]. A game is identified by its index in the schedule, so the same
//! configuration in several processes, or again after an interruption, gives parts of
//! one contest. Beside the journal, [`UnfinishedGames`] keeps long games while they are
//! played. All of it is written through [`Journal`], a file of JSON lines.

mod error;
mod game_line;
mod lines;
mod store;
mod unfinished;

pub use error::JournalError;
pub use game_line::{GameLine, PlayerLine};
pub use lines::{Journal, read};
pub use store::{ContestStore, StoredContest};
pub use unfinished::{UnfinishedGames, UnfinishedLine};

pub(crate) use game_line::is_zero;
