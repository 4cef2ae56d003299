//! How players prepare for a match.

/// How a player has prepared.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Preparation {
    /// It has used its time, or was interrupted.
    Searched,
    /// It goes on without this machine's help, and has to be asked again.
    Waiting,
    /// It had nothing to do, or took as long as it wanted.
    Ready,
    /// It cannot play.
    Failed(String),
}
