//! Tournaments whose games are played elsewhere, in batches, and recorded here.
//!
//! A [`BatchedTournament`] owns the journals: it deals the games that they lack as
//! [`GameBatch`]es, which name everything that a process on another machine needs, and records
//! the [`PlayedGame`]s that come back, each exactly once. A [`BatchPlayer`] plays a batch on one
//! thread. Batches and games travel as JSON. Who carries them, and what gets lost on the way, is
//! of no concern here: a batch may be played several times, or partly, or never.
//!
//! With a budget in simulations or steps a batch gives the same games wherever it is played on
//! processors of the same level, so the size of batches, not the cluster, decides what is played.

mod batched_tournament;
mod error;
mod game_batch;
mod player;

pub use batched_tournament::BatchedTournament;
pub use error::BatchError;
pub use game_batch::{BatchPart, GameBatch, PlayedGame};
pub use player::BatchPlayer;
