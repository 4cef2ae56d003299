//! Contests kept in files: agents play many games of a rule sheet, every game is
//! appended to a journal as it ends, and figures are computed from journals
//! alone.
//!
//! In: [`Terms`] (what is played by whom, on which budget) and a number of
//! games. Out: a journal whose first line are the terms and every other line is a
//! [`GameLine`]; of one or several of those a [`Summary`], which [`table`] and
//! [`markdown`] print. A game is known by its place in the schedule, so the same
//! terms in several processes, or once more after an interruption, give parts of
//! one contest.

pub mod cross;
pub mod game;
mod hosted;
pub mod markdown;
pub mod progress;
pub mod record;
pub mod run;
pub mod sequential;
pub mod store;
pub mod summary;
pub mod table;
pub mod terms;
pub mod tournament;
pub mod under_way;
pub mod venue;

pub use game::GameLine;
pub use store::{Store, Stored};
pub use summary::Summary;
pub use terms::{Budget, Paper, Terms};
