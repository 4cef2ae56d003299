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

/// The rule sheet of a game.
#[must_use]
pub fn rules(name: &str) -> Option<&'static str> {
    const RULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));
    let found = RULES.binary_search_by_key(&name, |(name, _)| name);
    found.ok().map(|index| RULES[index].1)
}
