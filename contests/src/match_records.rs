//! MatchRecordFolder of games in the JSON of the GGP base's matches.

use crate::budget::MoveBudget;
use crate::configuration::ContestConfiguration;
use crate::game_record::FinishedGame;
use anyhow::Context as _;
use gdl_agent::matches::Ending;
use gdl_network::protocol::{Clocks, MatchRecord};
use gdl_runtime::engine::Engine;
use std::path::{Path, PathBuf};

/// A folder of records.
#[derive(Debug)]
pub struct MatchRecordFolder {
    folder: PathBuf,
}

impl MatchRecordFolder {
    /// A folder, made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
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
        played: &FinishedGame,
    ) -> anyhow::Result<()> {
        let name = format!(
            "{}.{}",
            configuration.file_name(),
            played.record.fixture.number
        );
        let path = self.folder.join(format!("{name}.json"));
        record(engine, configuration, played, &name)
            .save(&path)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The record of a game that has been played. Contests keep no times of single
/// moves, so that every time is that of the record.
fn record(
    engine: &mut dyn Engine,
    configuration: &ContestConfiguration,
    played: &FinishedGame,
    id: &str,
) -> MatchRecord {
    let without_start = |play: u64| Clocks {
        preview: None,
        start: 0,
        play,
    };
    let clocks = match configuration.budget {
        MoveBudget::Clocks(clocks) => clocks,
        MoveBudget::Seconds(seconds) => without_start(seconds.ceil() as u64),
        MoveBudget::Simulations(_) | MoveBudget::Steps(_) => without_start(0),
    };
    let agents = played.record.fixture.agents.iter();
    let players = agents
        .map(|&agent| configuration.agents[agent].clone())
        .collect();
    let mut state = engine.initial();
    let mut record = MatchRecord::begin(id, clocks, players, &engine.facts(&state));
    for joint in &played.record.moves {
        state = engine.next(&state, joint);
        let moves = joint.iter().enumerate();
        let moves = moves.map(|(role, &mv)| engine.move_name(role, mv));
        record.advance(moves.collect(), &engine.facts(&state));
    }
    if !played.errors.is_empty() {
        record.errors.clone_from(&played.errors);
    }
    record.random_token = format!("{:016x}", played.record.fixture.seed);
    record.tournament_name_from_host = configuration.file_name();
    record.complete(&played.goals);
    if played.ending != Ending::Terminal {
        record.is_completed = false;
        record.abort();
    }
    record
}
