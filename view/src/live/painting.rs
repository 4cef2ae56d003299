//! What pages are shown, and how they receive it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::watch;

use crate::messages::PageEvent;

/// Everything that is shown, each with the number of the painting in which it was new.
#[derive(Debug, Clone, Default)]
pub(crate) struct Painting {
    pub(super) number: u64,
    pub(super) ended: bool,
    /// By their slots: what is played, how contests stand, and the boards.
    pub(super) events: BTreeMap<usize, (u64, Arc<PageEvent>)>,
}

/// A page that watches.
pub(crate) struct Watcher {
    paintings: watch::Receiver<Arc<Painting>>,
    /// The number of the painting that it has.
    seen: u64,
}

impl Watcher {
    pub(super) fn new(mut paintings: watch::Receiver<Arc<Painting>>) -> Self {
        // The latest painting is new to this page.
        paintings.mark_changed();
        Self { paintings, seen: 0 }
    }

    /// Waits for something new, and returns it; paintings that were replaced meanwhile are left
    /// out. `None` once nothing follows.
    pub(crate) async fn next(&mut self) -> Option<Vec<PageEvent>> {
        loop {
            if self.paintings.borrow().ended && self.paintings.borrow().number == self.seen {
                return None;
            }
            self.paintings.changed().await.ok()?;
            let painting = Arc::clone(&self.paintings.borrow_and_update());
            let new = painting
                .events
                .values()
                .filter(|(number, _)| *number > self.seen);
            let new: Vec<PageEvent> = new.map(|(_, event)| PageEvent::clone(event)).collect();
            self.seen = painting.number;
            if !new.is_empty() {
                return Some(new);
            }
        }
    }
}
