//! Records a match that we play, on disk after every move.

use super::engine_game::EngineGame;
use super::events::Events;
use super::match_parameters::MatchParameters;
use super::player_event::PlayerEvent;
use crate::protocol::ClockSeconds;
use crate::protocol::record::{Clocks, MatchRecord};
use crate::unix_time::unix_milliseconds;
use gdl_engines::digest::sha256_hex;
use gdl_runtime::engine::Engine as _;
use std::path::{Path, PathBuf};

/// Records one match. If the record cannot be written, the match goes on.
pub struct MatchRecorder {
    /// `None` if nothing is to be written.
    path: Option<PathBuf>,
    events: Events,
    record: Option<MatchRecord>,
    /// Whether a failure to write was reported.
    reported: bool,
}

impl MatchRecorder {
    /// A recorder that writes into a folder. The file name consists of the time and a
    /// digest of the name of the match, since nothing from the network may become part
    /// of a path.
    pub fn new(folder: Option<&Path>, id: &str, events: Events) -> Self {
        let digest = sha256_hex(id);
        Self {
            path: folder.map(|folder| {
                folder.join(format!("{}-{}.json", unix_milliseconds(), &digest[..16]))
            }),
            events,
            record: None,
            reported: false,
        }
    }

    /// Begins the record with the initial state.
    pub fn begin(&mut self, parameters: &MatchParameters, game: &EngineGame) {
        let clocks = Clocks {
            preview: None,
            start: ClockSeconds::of(parameters.start_clock),
            play: ClockSeconds::of(parameters.play_clock),
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

    /// Adds a round: its moves and the state they led to.
    pub fn advance(&mut self, parameters: &MatchParameters, moves: &[String], game: &EngineGame) {
        if let Some(record) = &mut self.record {
            record.advance(moves.to_vec(), &game.facts());
            self.save(&parameters.id);
        }
    }

    /// Completes the record; there are goals only if the game is over.
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
        let (Some(record), Some(path)) = (&self.record, &self.path) else {
            return;
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        let saved = std::fs::create_dir_all(folder).and_then(|()| record.save(path));
        if let Err(error) = saved
            && !std::mem::replace(&mut self.reported, true)
        {
            let reason = format!("cannot write {}: {error}", path.display());
            self.events.report(id, &PlayerEvent::Trouble { reason });
        }
    }
}
