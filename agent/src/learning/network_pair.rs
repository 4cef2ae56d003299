//! Two networks that play each other.

use gdl_runtime::engine::Role;

use super::quantised::QuantisedNetwork;

/// Two networks that play each other: in every other game they exchange the roles. They are the
/// same if one plays itself.
pub(super) type NetworkPair<'a> = [&'a QuantisedNetwork; 2];

/// Which of two networks plays a role of a game.
#[inline]
pub(super) fn player(game: usize, role: Role) -> usize {
    (game + role) % 2
}
