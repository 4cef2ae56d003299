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
use std::time::Duration;

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

/// The clocks of all games; zero where players have no time but a number of simulations or
/// steps.
fn clocks(configuration: &ContestConfiguration) -> Clocks {
    let play = match configuration.budget {
        MoveBudget::Clocks(clocks) => return clocks,
        MoveBudget::Seconds(seconds) => seconds,
        MoveBudget::Simulations(_) | MoveBudget::Steps(_) => 0.0,
    };
    let clock = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds);
        ClockSeconds::of(time.unwrap_or_default())
    };
    Clocks {
        preview: None,
        start: clock(configuration.start.unwrap_or_default()),
        play: clock(play),
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
    let clocks = clocks(configuration);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::tests::configuration;

    #[test]
    fn clocks_are_those_of_the_contest() {
        let mut configuration = configuration(&["champion", "uct"]);
        let shown = |configuration: &ContestConfiguration| {
            let clocks = clocks(configuration);
            [clocks.start, clocks.play].map(|clock| clock.to_string())
        };
        assert_eq!(shown(&configuration), ["0", "0"]);
        configuration.budget = MoveBudget::Seconds(0.2);
        assert_eq!(shown(&configuration), ["0", "0.2"]);
        configuration.start = Some(10.0);
        assert_eq!(shown(&configuration), ["10", "0.2"]);
    }
}
