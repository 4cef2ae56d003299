//! Reports what happens in matches: in the log for people, and as lines of JSON for
//! programs. Whoever reads them may be slow, so they are written on a thread of their own, and
//! nobody else waits for that.

use super::match_observer::{MatchObserver, ServedState};
use super::player_event::PlayerEvent;
use crate::unix_time::unix_milliseconds;
use serde::Serialize;
use std::io::{self, Write as _};
use std::sync::mpsc::{SendError, Sender, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;
use tracing::Level;

/// A line of JSON.
#[derive(Serialize)]
struct JsonLine<'a> {
    /// Milliseconds since 1970.
    time: u64,
    #[serde(rename = "match")]
    id: &'a str,
    #[serde(flatten)]
    event: &'a PlayerEvent,
}

/// The destinations of events. The log receives all of them.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// Whether events are also printed to standard output as lines of JSON.
    pub json: bool,
    /// Also notified of events, and of the states that matches reach.
    pub observer: Option<Arc<dyn MatchObserver>>,
}

impl Events {
    /// Reports that the player accepts connections at this address.
    pub fn listening(&self, address: &str) {
        let line = serde_json::json!({ "time": unix_milliseconds(), "event": "listening", "address": address });
        self.write(Level::INFO, format!("listening on {address}"), &line);
    }

    /// Reports an event of the match `id`.
    pub fn report(&self, id: &str, event: &PlayerEvent) {
        if let Some(observer) = &self.observer {
            observer.happened(id, event);
        }
        let level = match event {
            PlayerEvent::Trouble { .. }
            | PlayerEvent::Late { .. }
            | PlayerEvent::Fallback { .. }
            | PlayerEvent::Refused { .. } => Level::WARN,
            PlayerEvent::Unplayable { .. } => Level::ERROR,
            _ => Level::INFO,
        };
        let line = JsonLine {
            time: unix_milliseconds(),
            id,
            event,
        };
        self.write(level, format!("{id}: {event}"), &line);
    }

    /// Waits until everything that was reported is written, but not for long.
    pub(super) fn flush(patience: Duration) {
        let (written, all) = channel::<()>();
        later(move || drop(written));
        // Ends when the sender is dropped.
        let _ = all.recv_timeout(patience);
    }

    /// Whether anyone follows the matches.
    pub(super) fn are_observed(&self) -> bool {
        self.observer.is_some()
    }

    pub(super) fn reached(&self, id: &str, reached: &ServedState<'_>) {
        if let Some(observer) = &self.observer {
            observer.reached(id, reached);
        }
    }

    /// Has a text written to the log, and a line of JSON to standard output if it is wanted.
    fn write(&self, level: Level, text: String, line: &impl Serialize) {
        let line = self.json.then(|| serde_json::to_string(line).ok());
        later(move || {
            match level {
                Level::ERROR => tracing::error!("{text}"),
                Level::WARN => tracing::warn!("{text}"),
                _ => tracing::info!("{text}"),
            }
            if let Some(line) = line.flatten() {
                // A closed pipe or a full disk is no reason to lose a match.
                let _ = writeln!(io::stdout(), "{line}");
            }
        });
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// Does jobs one after another on the thread that writes events. They wait in memory if
/// nobody reads what is written.
fn later(job: impl FnOnce() + Send + 'static) {
    static JOBS: LazyLock<Sender<Job>> = LazyLock::new(start_writer);
    if let Err(SendError(job)) = JOBS.send(Box::new(job)) {
        // There is no such thread.
        job();
    }
}

fn start_writer() -> Sender<Job> {
    let (jobs, inbox) = channel::<Job>();
    let thread = thread::Builder::new().name("events".to_owned());
    let work = move || inbox.into_iter().for_each(|job| job());
    if let Err(error) = thread.spawn(work) {
        tracing::warn!("cannot start a thread for events: {error}");
    }
    jobs
}
