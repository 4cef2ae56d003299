//! Components: the named, configurable pieces that agents are made of.
//!
//! A component is a constant beside the code that it switches on: its name, the
//! [`Slot`] it fills, its [`Parameter`]s, and a function that enters it into an
//! [`AgentBuilder`]. Components know nothing of each other or of the list of all
//! components, which is [`registry`](crate::agents::registry).

pub mod builder;

use std::ops::RangeInclusive;

use builder::{AgentBuilder, GameContext};

/// The role of a component in an agent. A slot holds at most one component, except
/// for playout policies, of which the first that applies to the game is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The rule that picks moves inside the tree: required if the agent searches.
    Selection,
    /// The value of moves that the rule works with.
    Estimate,
    /// First-play urgency: when moves are tried for the first time.
    FirstPlay,
    /// How moves are chosen outside the tree.
    Playout,
    /// Whether playouts end before the game does.
    Cutoff,
    /// How results are credited.
    Backup,
    /// Whether values are proven.
    Proofs,
    /// How the lanes of a machine are used.
    Lanes,
    /// The number of threads per tree.
    Threads,
    /// The number of trees.
    Trees,
    /// The whole agent, which does not search.
    NoSearch,
}

impl Slot {
    /// The purpose of the slot, in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Estimate => "value of moves",
            Self::FirstPlay => "untried moves",
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

/// A numeric parameter of a component.
#[derive(Debug, PartialEq)]
pub struct Parameter {
    /// Its name in agent texts.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// Its value if none is given.
    pub default: f64,
    /// The values it may take.
    pub range: RangeInclusive<f64>,
}

/// The values of a component's parameters, in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterValues(pub(crate) Vec<f64>);

impl ParameterValues {
    /// The value of a parameter, by its zero-based index.
    #[must_use]
    pub fn get(&self, parameter: usize) -> f64 {
        self.0[parameter]
    }
}

/// A component that agents can have.
#[derive(Debug)]
pub struct Component {
    /// Its name in agent texts.
    pub name: &'static str,
    /// The slot it fills.
    pub slot: Slot,
    /// What it does, in a sentence or two.
    pub summary: &'static str,
    /// The publication that describes it; empty if there is none.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Enters it into an agent for a game.
    pub build: fn(&mut AgentBuilder, &ParameterValues, &GameContext<'_>),
}

impl Component {
    /// The component with the default values of its parameters.
    #[must_use]
    pub fn by_default(&'static self) -> (&'static Self, ParameterValues) {
        let defaults = self.parameters.iter().map(|known| known.default);
        (self, ParameterValues(defaults.collect()))
    }
}

impl PartialEq for Component {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
