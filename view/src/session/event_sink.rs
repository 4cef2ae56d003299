//! The path of events to a page.

use crate::messages::PageEvent;

/// Where the events of a session go. A page that does not read holds up its own session
/// only.
pub(crate) trait EventSink: Send {
    /// Sends an event; `false` if the page is gone.
    fn send(&self, event: PageEvent) -> bool;
}
