//! The files in which the games of a tournament are kept.

use super::{Pairing, Shard};
use crate::contest_game::ContestGame;
use crate::error::ContestError;
use crate::journal::ContestStore;
use crate::options::RunOptions;
use std::path::Path;

impl Pairing {
    /// Opens the journal of this pairing in a folder: that of all its games, or of those that
    /// a shard plays. `game` is the pairing's game.
    ///
    /// # Errors
    /// If the game cannot be played like this, or the file belongs to another contest or
    /// process or cannot be used.
    pub fn open(
        &self,
        game: &ContestGame,
        seed: u64,
        options: &RunOptions,
        folder: &Path,
        shard: Option<Shard>,
    ) -> Result<ContestStore, ContestError> {
        let (agents, paper) = (&self.agents, self.paper.clone());
        let configuration = game.configuration(agents, self.budget, seed, options, paper)?;
        let name = configuration.file_name();
        let name = match shard {
            Some(shard) => format!("{name}.{shard}.jsonl"),
            None => format!("{name}.jsonl"),
        };
        Ok(ContestStore::open(&folder.join(name), &configuration)?)
    }
}
