//! Contests kept in files of JSON lines.

mod game_line;
mod lines;
mod store;
mod unfinished;

pub use game_line::{GameLine, PlayerLine};
pub use lines::{Journal, read};
pub use store::{ContestStore, StoredContest};
pub use unfinished::{UnfinishedGames, UnfinishedLine};

pub(crate) use game_line::is_zero;
