//! Games that no network can be learned for.

use super::network::MAX_HEADS;

/// Why a game cannot be learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unlearnable {
    /// It has this number of roles.
    #[error("the game has {0} roles, and networks support at most {MAX_HEADS}")]
    TooManyRoles(usize),
    /// All its states are the same.
    #[error("the game has no fluents, so there are no states to tell apart")]
    NoFluents,
}
