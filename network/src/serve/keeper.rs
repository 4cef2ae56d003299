//! The record of a match that we play, on disk after every move.

use super::course::Course;
use super::events::{Event, Events, now};
use super::referee::Terms;
use crate::protocol::record::{Clocks, MatchRecord};
use gdl_runtime::engine::Engine as _;
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// Keeps the record of one match. Where it cannot be written, the match goes on.
pub struct Keeper {
    path: PathBuf,
    events: Events,
    record: Option<MatchRecord>,
    /// Whether trouble with the disk was told.
    told: bool,
}

impl Keeper {
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
    pub fn begin(&mut self, terms: &Terms, course: &Course) {
        let clocks = Clocks {
            preview: None,
            start: terms.start_clock.as_secs(),
            play: terms.play_clock.as_secs(),
        };
        let name = |role| match role == course.role() {
            true => terms.agent.clone(),
            false => String::new(),
        };
        let names = (0..course.engine().roles().len()).map(name).collect();
        self.record = Some(MatchRecord::begin(
            &terms.id,
            clocks,
            names,
            &course.facts(),
        ));
        self.save(&terms.id);
    }

    /// A state is reached by these moves.
    pub fn reach(&mut self, terms: &Terms, moves: &[String], course: &Course) {
        if let Some(record) = &mut self.record {
            record.advance(moves.to_vec(), &course.facts());
            self.save(&terms.id);
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
            self.events.tell(id, &Event::Trouble { reason });
        }
    }
}
