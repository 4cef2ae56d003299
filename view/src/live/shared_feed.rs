//! What those who play, the painter and pages share.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::painting::{Painting, Watcher};
use super::places::Places;
use crate::messages::{LiveEvent, StandingsEvent};

/// The latest of everything, and what is painted of it.
pub(super) struct SharedFeed {
    latest: Mutex<Latest>,
    /// Wakes the painter that waits for something new.
    changed: Condvar,
    /// Wakes the painter that rests.
    ended: Condvar,
    /// What is painted, for pages.
    painted: watch::Sender<Arc<Painting>>,
}

/// The latest of everything.
pub(super) struct Latest {
    pub(super) places: Places,
    pub(super) event: LiveEvent,
    pub(super) standings: Option<StandingsEvent>,
    /// Whether the standings have changed since they were painted.
    pub(super) has_new_standings: bool,
    /// Whether anything has changed since it was painted.
    pub(super) is_new: bool,
}

impl SharedFeed {
    pub(super) fn new(title: &str) -> Self {
        let latest = Latest {
            places: Places::default(),
            event: LiveEvent {
                title: title.to_owned(),
                ended: false,
            },
            standings: None,
            has_new_standings: false,
            is_new: true,
        };
        Self {
            latest: Mutex::new(latest),
            changed: Condvar::new(),
            ended: Condvar::new(),
            painted: watch::Sender::new(Arc::default()),
        }
    }

    /// Whether pages are watching.
    pub(super) fn is_watched(&self) -> bool {
        self.painted.receiver_count() > 0
    }

    /// Starts watching.
    pub(super) fn watch(&self) -> Watcher {
        let watcher = Watcher::new(self.painted.subscribe());
        // What arrived while nobody watched is painted now. The painter looks for pages while it
        // holds this lock, so by now it has seen this page or is waiting to be woken.
        drop(self.latest());
        self.changed.notify_one();
        watcher
    }

    pub(super) fn latest(&self) -> MutexGuard<'_, Latest> {
        // What is shown of matches is sound even if a thread that changed it has panicked.
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whether something is new, and wakes the painter if it is and pages are watching.
    pub(super) fn tell(&self, mut latest: MutexGuard<'_, Latest>, is_new: bool) {
        latest.is_new |= is_new;
        drop(latest);
        if is_new && self.is_watched() {
            self.changed.notify_one();
        }
    }

    /// Tells pages that nothing follows.
    pub(super) fn end(&self) {
        let mut latest = self.latest();
        latest.event.ended = true;
        self.tell(latest, true);
        self.ended.notify_one();
    }

    /// Waits for this long, or until nothing more follows.
    pub(super) fn rest(&self, time: Duration) {
        let goes_on = |latest: &mut Latest| !latest.event.ended;
        drop(self.ended.wait_timeout_while(self.latest(), time, goes_on));
    }

    /// Hands a painting to pages.
    pub(super) fn publish(&self, painting: Painting) {
        self.painted.send_replace(Arc::new(painting));
    }

    /// Waits until there is something to paint and somebody to see it.
    pub(super) fn wait(&self) -> MutexGuard<'_, Latest> {
        let is_idle = |latest: &mut Latest| !latest.is_new || !self.is_watched();
        let waited = self.changed.wait_while(self.latest(), is_idle);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}
