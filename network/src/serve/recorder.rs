//! The record of a match that we play, on disk after every move.

use super::engine_game::EngineGame;
use super::events::{Events, PlayerEvent, now};
use super::match_actor::MatchParameters;
use crate::protocol::record::{Clocks, MatchRecord};
use gdl_runtime::engine::Engine as _;
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// Keeps the record of one match. Where it cannot be written, the match goes on.
pub struct MatchRecorder {
    path: PathBuf,
    events: Events,
    record: Option<MatchRecord>,
    /// Whether trouble with the disk was told.
    told: bool,
}

impl MatchRecorder {
    /// A record in a folder. Its name has the time and a digest of the match's
    /// name: what comes from the network is never a path.
    pub fn new(folder: &Path, id: &str, events: Events) -> Self {
        let digest: String = Sha256::digest(id)
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Self {
            path: folder.join(format!("{}-{digest}.json", now())),
            events,
            record: None,
            told: false,
        }
    }

    /// The match is in its initial state.
    pub fn begin(&mut self, parameters: &MatchParameters, game: &EngineGame) {
        let clocks = Clocks {
            preview: None,
            start: parameters.start_clock.as_secs(),
            play: parameters.play_clock.as_secs(),
        };
        let name = |role| match role == game.role() {
            true => parameters.agent.clone(),
            false => String::new(),
        };
        let names = (0..game.engine().roles().len()).map(name).collect();
        self.record = Some(MatchRecord::begin(
            &parameters.id,
            clocks,
            names,
            &game.facts(),
        ));
        self.save(&parameters.id);
    }

    /// A state is reached by these moves.
    pub fn reach(&mut self, parameters: &MatchParameters, moves: &[String], game: &EngineGame) {
        if let Some(record) = &mut self.record {
            record.advance(moves.to_vec(), &game.facts());
            self.save(&parameters.id);
        }
    }

    /// The match ends, with goals if the game does.
    pub fn end(&mut self, id: &str, aborted: bool, goals: Option<&[i32]>) {
        if let Some(record) = &mut self.record {
            if let Some(goals) = goals {
                record.complete(goals);
            }
            if aborted {
                record.abort();
            }
            self.save(id);
        }
    }

    fn save(&mut self, id: &str) {
        let Some(record) = &self.record else { return };
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let saved = std::fs::create_dir_all(folder).and_then(|()| record.save(&self.path));
        if let Err(error) = saved
            && !std::mem::replace(&mut self.told, true)
        {
            let reason = format!("cannot keep {}: {error}", self.path.display());
            self.events.tell(id, &PlayerEvent::Trouble { reason });
        }
    }
}
