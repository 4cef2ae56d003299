//! The feed on which whoever plays puts its matches.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::game::LiveMatch;
use super::painter::Painter;
use super::painting::Watcher;
use super::places::MatchKey;
use super::shared_feed::SharedFeed;
use crate::messages::StandingsEvent;

/// How long the end of a feed waits for pages to take the last pictures.
const FAREWELL: Duration = Duration::from_millis(500);

/// What is being played, for pages that watch. Clones share the same feed.
#[derive(Clone)]
pub struct LiveFeed(Arc<SharedFeed>);

impl LiveFeed {
    /// A feed with a title, and the thread that paints it.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub fn start(title: &str) -> io::Result<Self> {
        let feed = Arc::new(SharedFeed::new(title));
        let painter = Painter::new(Arc::clone(&feed));
        let thread = std::thread::Builder::new().name("painter".to_owned());
        thread.spawn(|| painter.run())?;
        Ok(Self(feed))
    }

    /// Shows a match in a state that it has reached; `begin` makes the match if it is new.
    pub(super) fn show(
        &self,
        key: MatchKey,
        begin: impl FnOnce() -> LiveMatch,
        change: impl FnOnce(&mut LiveMatch),
    ) {
        let mut latest = self.0.latest();
        let is_shown = latest.places.change(key, begin, change);
        self.0.tell(latest, is_shown);
    }

    /// Changes a match that may be shown.
    pub(super) fn amend(&self, key: MatchKey, change: impl FnOnce(&mut LiveMatch)) {
        let mut latest = self.0.latest();
        let is_shown = latest.places.change_known(key, change);
        self.0.tell(latest, is_shown);
    }

    /// Shows how contests stand.
    pub(super) fn show_standings(&self, standings: StandingsEvent) {
        let mut latest = self.0.latest();
        latest.standings = Some(standings);
        latest.has_new_standings = true;
        self.0.tell(latest, true);
    }

    /// Shows how many games of contests are over.
    pub(super) fn show_done(&self, done: u64) {
        let mut latest = self.0.latest();
        if let Some(standings) = &mut latest.standings {
            standings.done = done;
        }
        latest.has_new_standings = true;
        self.0.tell(latest, true);
    }

    /// Tells pages that everything is over. Waits until they have the last pictures, but for at
    /// most half a second, and not at all if there are no pages.
    pub fn end(&self) {
        self.0.end();
        let deadline = Instant::now() + FAREWELL;
        while self.0.is_watched() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts watching.
    pub(crate) fn watch(&self) -> Watcher {
        self.0.watch()
    }
}

impl fmt::Debug for LiveFeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = &self.0.latest().event;
        f.debug_tuple("LiveFeed").field(event).finish()
    }
}
