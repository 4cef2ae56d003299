//! Our own games: their rules, and with the feature `compiled` their native code. They are
//! a crate of their own so that a change to what plays them does not recompile them.

use gdl_runtime::compiled::Compiled;

/// The emitted modules; what they consist of is documented in `gdlc::emit`.
#[cfg(feature = "compiled")]
#[allow(missing_docs, clippy::all, clippy::semicolon_if_nothing_returned)]
mod games {
    include!(concat!(env!("OUT_DIR"), "/games.rs"));
}

/// All games that are compiled, by name.
#[must_use]
pub fn all() -> &'static [&'static Compiled] {
    #[cfg(feature = "compiled")]
    return games::GAMES;
    #[cfg(not(feature = "compiled"))]
    &[]
}

/// The names and the rule sheets of all games.
const RULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The names of all games.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|&(name, _)| name)
}

/// The rule sheet of the game of that name.
#[must_use]
pub fn rules(name: &str) -> Option<&'static str> {
    let found = RULES.iter().find(|(game, _)| *game == name);
    found.map(|&(_, text)| text)
}
