//! Reports what happens in matches: in the log for people, and as lines of JSON for
//! programs.

use super::match_observer::{MatchObserver, ServedState};
use super::player_event::PlayerEvent;
use crate::unix_time::unix_milliseconds;
use serde::Serialize;
use std::io::{self, Write as _};
use std::sync::Arc;

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
        tracing::info!("listening on {address}");
        self.print(&serde_json::json!({ "time": unix_milliseconds(), "event": "listening", "address": address }));
    }

    /// Reports an event of the match `id`.
    pub fn report(&self, id: &str, event: &PlayerEvent) {
        if let Some(observer) = &self.observer {
            observer.happened(id, event);
        }
        match event {
            PlayerEvent::Trouble { .. }
            | PlayerEvent::Late { .. }
            | PlayerEvent::Fallback { .. }
            | PlayerEvent::Refused { .. } => {
                tracing::warn!("{id}: {event}");
            }
            PlayerEvent::Unplayable { .. } => tracing::error!("{id}: {event}"),
            _ => tracing::info!("{id}: {event}"),
        }
        self.print(&JsonLine {
            time: unix_milliseconds(),
            id,
            event,
        });
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

    fn print(&self, line: &impl Serialize) {
        if self.json
            && let Ok(line) = serde_json::to_string(line)
        {
            // A closed pipe or a full disk is no reason to lose a match.
            let _ = writeln!(io::stdout(), "{line}");
        }
    }
}
