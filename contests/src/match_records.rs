//! Records of games in the JSON of the GGP base's matches.

use crate::budget::MoveBudget;
use crate::configuration::ContestConfiguration;
use crate::error::ContestError;
use crate::game_record::FinishedGame;
use gdl_agent::matches::Ending;
use gdl_network::protocol::{ClockSeconds, Clocks, MatchRecord};
use gdl_runtime::engine::Engine;
use gdl_runtime::moves::joint_move_names;
use std::io;
use std::path::{Path, PathBuf};

/// A folder that gets one record per match.
#[derive(Debug)]
pub struct MatchRecordFolder {
    folder: PathBuf,
}

impl MatchRecordFolder {
    /// Opens or creates a folder.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn open(folder: &Path) -> Result<Self, ContestError> {
        std::fs::create_dir_all(folder).map_err(file_error("create", folder))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// Writes the record of a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        engine: &mut dyn Engine,
        configuration: &ContestConfiguration,
        game: &FinishedGame,
    ) -> Result<(), ContestError> {
        let number = game.record.fixture.number;
        let name = format!("{}.{number}", configuration.file_name());
        let path = self.folder.join(format!("{name}.json"));
        let record = match_record(engine, configuration, game, &name);
        record.save(&path).map_err(file_error("write", &path))
    }
}

fn file_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ContestError {
    let path = path.to_owned();
    move |source| ContestError::File {
        action,
        path,
        source,
    }
}

/// The record of a finished game. Contests do not keep the times of single moves: all
/// times in the record are when it was made.
fn match_record(
    engine: &mut dyn Engine,
    configuration: &ContestConfiguration,
    game: &FinishedGame,
    id: &str,
) -> MatchRecord {
    let without_start = |play: u32| Clocks {
        preview: None,
        start: ClockSeconds::whole(0),
        play: ClockSeconds::whole(play),
    };
    let clocks = match configuration.budget {
        MoveBudget::Clocks(clocks) => clocks,
        MoveBudget::Seconds(seconds) => without_start(seconds.ceil() as u32),
        MoveBudget::Simulations(_) | MoveBudget::Steps(_) => without_start(0),
    };
    let agents = game.record.fixture.agents.iter();
    let players = agents
        .map(|&agent| configuration.agents[agent].clone())
        .collect();
    let mut state = engine.initial();
    let mut record = MatchRecord::begin(id, clocks, players, &engine.facts(&state));
    for joint in &game.record.moves {
        state = engine.next(&state, joint);
        let names = joint_move_names(engine, joint);
        record.advance(names, &engine.facts(&state));
    }
    if !game.errors.is_empty() {
        record.errors.clone_from(&game.errors);
    }
    record.random_token = format!("{:016x}", game.record.fixture.seed);
    record.tournament_name_from_host = configuration.file_name();
    record.complete(&game.goals);
    if game.ending != Ending::Terminal {
        record.is_completed = false;
        record.abort();
    }
    record
}
