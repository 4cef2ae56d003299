//! The games that are linked in.

use gdl_runtime::compiled::Compiled;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;

/// The games that are linked in, by name.
#[must_use]
pub fn builtin() -> &'static [&'static Compiled] {
    gdl_games::all()
}

/// An engine for a game that is linked in, at most so wide.
#[must_use]
pub fn load_builtin(name: &str, width: Width) -> Option<LaneEngine> {
    let game = builtin().iter().find(|game| game.name() == name)?;
    game.engine(width)
}
