//! Records a match that we play, on disk after every move.

use super::engine_game::EngineGame;
use super::events::Events;
use super::match_parameters::MatchParameters;
use super::player_event::PlayerEvent;
use super::record_writer::{RecordChange, RecordWriter};
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
    /// The thread that writes, once the match has begun.
    writer: Option<RecordWriter>,
    /// The number of rounds in the record.
    rounds: usize,
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
            writer: None,
            rounds: 0,
        }
    }

    /// Begins the record with the initial state, unless it has begun.
    pub fn begin(&mut self, parameters: &MatchParameters, game: &EngineGame) {
        let Some(path) = self.path.as_ref().filter(|_| self.writer.is_none()) else {
            return;
        };
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
        let record = MatchRecord::begin(&parameters.id, clocks, names, &game.facts());
        match RecordWriter::start(record, path.clone(), self.events.clone()) {
            Ok(writer) => self.writer = Some(writer),
            Err(error) => {
                let reason = format!("cannot write {}: {error}", path.display());
                let trouble = PlayerEvent::Trouble { reason };
                self.events.report(&parameters.id, &trouble);
            }
        }
    }

    /// Adds a round: its moves and the state they led to. Rounds that lead to a lost state are
    /// added once they have been repeated on an engine that does not lose it.
    pub fn advance(&mut self, moves: &[String], game: &EngineGame) {
        if game.is_lost() || game.rounds() <= self.rounds {
            return;
        }
        self.rounds = game.rounds();
        if let Some(writer) = &self.writer {
            writer.change(RecordChange::Round {
                time: unix_milliseconds(),
                moves: moves.to_vec(),
                facts: game.facts(),
            });
        }
    }

    /// Completes the record and waits until it is on disk; there are goals only if the game is
    /// over.
    pub fn end(&mut self, aborted: bool, goals: Option<&[i32]>) {
        let Some(writer) = self.writer.take() else {
            return;
        };
        if let Some(goals) = goals {
            writer.change(RecordChange::Completed(goals.to_vec()));
        }
        if aborted {
            writer.change(RecordChange::Aborted);
        }
        writer.finish();
    }
}
