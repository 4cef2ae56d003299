//! The list of engines.
//!
//! To add an engine: write its module beside this one with a function `load` (a
//! [`LoadFunction`]), declare the module in `lib.rs`, and add a line to the list below. The
//! commands' `--engine` and the order in which [`open`](crate::open) falls back follow
//! from the list; a line in `tests/engines` runs the common tests on it.

use crate::game::{CheckedGame, LoadError, LoadedEngine};
use std::fmt;

/// Loads a game into an engine.
pub(crate) type LoadFunction = fn(CheckedGame<'_>) -> Result<LoadedEngine, LoadError>;

/// Declares [`EngineKind`] from `Variant "name" => module`, the slowest engine first.
macro_rules! engines {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal => $module:ident,)*) => {
        /// Which engine runs a game; in ascending order of speed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
        pub enum EngineKind {
            $($(#[doc = $doc])* #[value(name = $name)] $variant,)*
        }

        impl EngineKind {
            /// All engines, the slowest first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name by which users choose the engine.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            pub(crate) fn loader(self) -> LoadFunction {
                match self {
                    $(Self::$variant => crate::$module::load,)*
                }
            }
        }
    };
}

engines! {
    /// Evaluates the rules as they stand: slow, and the yardstick for the others
    Reference "reference" => reference,
    /// Runs the game's logic network immediately, without a compiler
    Net "net" => propnet,
    /// Runs the game compiled to machine code
    Native "native" => native,
}

impl EngineKind {
    /// The engine to fall back on if this one cannot run a game: the next slower one.
    pub(crate) fn fallback(self) -> Option<Self> {
        let index = Self::ALL.iter().position(|&kind| kind == self)?;
        index.checked_sub(1).map(|index| Self::ALL[index])
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
