//! Two networks that play each other.

use gdl_runtime::engine::Role;

use super::quantised::QuantisedNetwork;

/// Two networks that play each other and exchange roles in every other game; the same one twice
/// if it plays itself.
pub(super) type NetworkPair<'a> = [&'a QuantisedNetwork; 2];

/// Which of two networks plays a role of a game.
#[inline]
pub(super) fn player(game: usize, role: Role) -> usize {
    (game + role) % 2
}
