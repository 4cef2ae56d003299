//! Moves by their names.

use gdl_runtime::engine::{Engine, Move, Role};
use gdl_runtime::kif::normalise;

/// The one of a role's legal moves that has this name, in any case and spacing.
#[must_use]
pub fn find_move(engine: &dyn Engine, role: Role, legal: &[Move], name: &str) -> Option<Move> {
    let name = normalise(name);
    let is_named = |&&mv: &&Move| normalise(&engine.move_name(role, mv)) == name;
    legal.iter().find(is_named).copied()
}
