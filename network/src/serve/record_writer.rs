//! Writes the record of a match on a thread of its own, so that nothing that answers a host
//! waits for the disk.

use super::events::Events;
use super::player_event::PlayerEvent;
use crate::protocol::record::MatchRecord;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// What happens to a record.
pub(super) enum RecordChange {
    /// A round is over.
    Round {
        /// When its state was reached, in milliseconds since 1970.
        time: u64,
        moves: Vec<String>,
        facts: Vec<String>,
    },
    /// The match was played to its end, with these goals.
    Completed(Vec<i32>),
    /// The match was aborted.
    Aborted,
}

/// The thread that keeps a record on disk.
pub(super) struct RecordWriter {
    changes: Sender<RecordChange>,
    thread: JoinHandle<()>,
}

impl RecordWriter {
    /// Starts keeping a record in this file.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub(super) fn start(record: MatchRecord, path: PathBuf, events: Events) -> io::Result<Self> {
        let (changes, inbox) = channel();
        let keep = move || keep(record, &path, &inbox, &events);
        let thread = thread::Builder::new()
            .name("record".to_owned())
            .spawn(keep)?;
        Ok(Self { changes, thread })
    }

    /// Changes the record, which is then written as soon as the disk allows it.
    pub(super) fn change(&self, change: RecordChange) {
        // The thread ends only when this writer does.
        let _ = self.changes.send(change);
    }

    /// Waits until the record is on disk as it is now, and ends the thread.
    pub(super) fn finish(self) {
        drop(self.changes);
        let _ = self.thread.join();
    }
}

/// Writes the record now and after every change; changes that arrive during a write are
/// written together.
fn keep(mut record: MatchRecord, path: &Path, inbox: &Receiver<RecordChange>, events: &Events) {
    let mut is_reported = false;
    loop {
        if let Err(error) = save(&record, path)
            && !std::mem::replace(&mut is_reported, true)
        {
            let reason = format!("cannot write {}: {error}", path.display());
            events.report(&record.match_id, &PlayerEvent::Trouble { reason });
        }
        let Ok(change) = inbox.recv() else { return };
        apply(change, &mut record);
        inbox
            .try_iter()
            .for_each(|change| apply(change, &mut record));
    }
}

fn save(record: &MatchRecord, path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    record.save(path)
}

fn apply(change: RecordChange, record: &mut MatchRecord) {
    match change {
        RecordChange::Round { time, moves, facts } => record.advance_at(time, moves, &facts),
        RecordChange::Completed(goals) => record.complete(&goals),
        RecordChange::Aborted => record.abort(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ClockSeconds;
    use crate::protocol::record::Clocks;
    use crate::serve::match_observer::{MatchObserver, ServedState};
    use parking_lot::Mutex;
    use std::fs;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    fn record() -> MatchRecord {
        let clocks = Clocks {
            preview: None,
            start: ClockSeconds::whole(1),
            play: ClockSeconds::whole(1),
        };
        MatchRecord::begin("slow", clocks, vec![String::new()], &["(at 0)".to_owned()])
    }

    fn round(number: u64) -> RecordChange {
        RecordChange::Round {
            time: number,
            moves: vec!["go".to_owned()],
            facts: vec![format!("(at {number})")],
        }
    }

    fn read(path: &Path) -> MatchRecord {
        let text = fs::read_to_string(path).expect("the record is on disk");
        serde_json::from_str(&text).expect("it is a record")
    }

    #[test]
    fn what_is_on_disk_in_the_end_has_all_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/match.json");
        let writer = RecordWriter::start(record(), path.clone(), Events::default());
        let writer = writer.expect("a thread");
        (1..=50).for_each(|number| writer.change(round(number)));
        writer.change(RecordChange::Completed(vec![100]));
        writer.finish();
        let found = read(&path);
        assert_eq!(found.moves.len(), 50);
        assert_eq!(found.state_times[1..], (1..=50).collect::<Vec<u64>>()[..]);
        assert_eq!((found.is_completed, found.goal_values), (true, vec![100]));
    }

    /// The thread that writes is held up, as by a disk, until all changes are made.
    #[test]
    fn nobody_waits_for_a_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let taken = folder.path().join("taken");
        fs::write(&taken, "no folder").expect("it can be written");
        let (release, released) = channel();
        let events = Events {
            json: false,
            observer: Some(Arc::new(HoldUp(Mutex::new(released)))),
        };
        let begun = Instant::now();
        let path = taken.join("match.json");
        let writer = RecordWriter::start(record(), path, events).expect("a thread");
        (1..=50).for_each(|number| writer.change(round(number)));
        assert!(begun.elapsed() < HELD_UP, "changes waited for the disk");
        release.send(()).expect("the thread waits for it");
        writer.finish();
    }

    const HELD_UP: Duration = Duration::from_secs(20);

    /// Returns only when it is released, or after a long time.
    #[derive(Debug)]
    struct HoldUp(Mutex<Receiver<()>>);

    impl MatchObserver for HoldUp {
        fn reached(&self, _: &str, _: &ServedState<'_>) {}

        fn happened(&self, _: &str, _: &PlayerEvent) {
            let _ = self.0.lock().recv_timeout(HELD_UP);
        }
    }
}
