//! Our own games, compiled. They are a crate of their own so that a change of what plays
//! them does not compile them again.

use gdl_runtime::compiled::Compiled;

/// The emitted modules; what they consist of is documented in `gdlc::emit`.
#[allow(missing_docs, clippy::all, clippy::semicolon_if_nothing_returned)]
mod games {
    include!(concat!(env!("OUT_DIR"), "/games.rs"));
}

/// All games, by name.
#[must_use]
pub fn all() -> &'static [&'static Compiled] {
    games::GAMES
}

/// The names and the rule sheets of all games.
const RULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The rule sheet of the game of that name.
#[must_use]
pub fn rules(name: &str) -> Option<&'static str> {
    let found = RULES.iter().find(|(game, _)| *game == name);
    found.map(|&(_, text)| text)
}
