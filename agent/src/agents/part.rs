//! What a part of an agent says of itself.

use std::ops::RangeInclusive;

use super::{Draft, Game};

/// Where in an agent a part belongs. At most one part can be in each place, but
/// for playout policies: of those the first that applies to the game is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The rule by which nodes are left: every agent that searches has one.
    Selection,
    /// What moves are taken to be worth.
    Estimate,
    /// What happens where not all moves have been tried.
    Fringe,
    /// How games go on outside the tree.
    Playout,
    /// Whether they are played to their end.
    Cutoff,
    /// How results are credited.
    Backup,
    /// Whether values are proven.
    Proofs,
    /// How the lanes of a machine are used.
    Lanes,
    /// How many threads there are for a tree.
    Threads,
    /// How many trees there are.
    Trees,
    /// The whole agent: it does not search.
    NoSearch,
}

impl Place {
    /// What is there, in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Estimate => "value of moves",
            Self::Fringe => "untried moves",
            Self::Playout => "playouts",
            Self::Cutoff => "cutoff",
            Self::Backup => "credit",
            Self::Proofs => "proofs",
            Self::Lanes => "lanes",
            Self::Threads => "threads",
            Self::Trees => "trees",
            Self::NoSearch => "no search",
        }
    }
}

/// A number that a part can be given.
#[derive(Debug, PartialEq)]
pub struct Parameter {
    /// What it is called in texts.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// What it is if nobody says otherwise.
    pub default: f64,
    /// What it may be.
    pub range: RangeInclusive<f64>,
}

/// The values of a part's parameters, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Values(pub(super) Vec<f64>);

impl Values {
    /// The value of a parameter, by its place among the part's parameters.
    #[must_use]
    pub fn get(&self, parameter: usize) -> f64 {
        self.0[parameter]
    }
}

/// A part that agents can have.
#[derive(Debug)]
pub struct Part {
    /// What it is called in texts.
    pub name: &'static str,
    /// Where it belongs.
    pub place: Place,
    /// What it does, in a sentence or two.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Puts it into an agent for a game.
    pub build: fn(&mut Draft, &Values, &Game<'_>),
}

impl Part {
    /// The part with its parameters as they are by default.
    #[must_use]
    pub fn by_default(&'static self) -> (&'static Self, Values) {
        let defaults = self.parameters.iter().map(|known| known.default);
        (self, Values(defaults.collect()))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
