//! The games that are linked into the program.

use gdl_runtime::compiled::Compiled;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;

/// The built-in games, in order of their names.
#[must_use]
pub fn builtin() -> &'static [&'static Compiled] {
    gdl_games::all()
}

/// An engine of at most this width for the built-in game of that name.
#[must_use]
pub fn load_builtin(name: &str, width: Width) -> Option<LaneEngine> {
    let game = builtin().iter().find(|game| game.name() == name)?;
    game.engine(width)
}
