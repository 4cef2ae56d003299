//! The games that are linked in: `games/*.kif`, compiled by the build script.

use runtime::compiled::Compiled;
use runtime::lane_engine::LaneEngine;
use runtime::lanes::Width;

/// The emitted modules; what they consist of is documented in `gdlc::emit`.
#[allow(missing_docs, clippy::all, clippy::semicolon_if_nothing_returned)]
mod games {
    include!(concat!(env!("OUT_DIR"), "/games.rs"));
}

/// The games that are linked in, by name.
#[must_use]
pub fn builtin() -> &'static [&'static Compiled] {
    games::GAMES
}

/// An engine for a game that is linked in, at most so wide.
#[must_use]
pub fn load_builtin(name: &str, width: Width) -> Option<LaneEngine> {
    let game = builtin().iter().find(|game| game.name() == name)?;
    game.engine(width)
}
