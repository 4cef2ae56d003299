//! What a server shows.

use crate::live::LiveFeed;
use crate::session::Shared;

/// What a server shows.
#[derive(Clone)]
pub(crate) enum Site {
    /// Games to play, and what else a session can do.
    Library(Shared),
    /// What is being played elsewhere.
    Live(LiveFeed),
}
