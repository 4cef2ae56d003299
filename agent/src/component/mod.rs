//! Components: the named, configurable pieces that agents are made of.
//!
//! A component is a constant beside the code that it switches on: its name, the
//! [`Slot`] it fills, its [`Parameter`]s, and a function that enters it into an
//! [`AgentBuilder`]. Components know nothing of each other or of the list of all
//! components, which is [`registry`](crate::agents::registry).

pub mod builder;

use std::fmt;
use std::ops::RangeInclusive;

use builder::{AgentBuilder, GameContext};

/// The role of a component in an agent. A slot holds at most one component, except those
/// for knowledge and for playout policies. Of several policies, the first that applies to
/// the game is used, unless a component combines them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The rule that picks moves inside the tree: required if the agent searches.
    Selection,
    /// The value of moves that the rule works with.
    Estimate,
    /// How much is explored.
    Exploration,
    /// First-play urgency: when moves are tried for the first time.
    FirstPlay,
    /// What is known about moves.
    Knowledge,
    /// How joint moves are picked inside the tree.
    Simultaneous,
    /// How other roles pick moves inside the tree.
    Opponents,
    /// How moves are chosen outside the tree.
    Playout,
    /// How several playout policies are used together.
    Combination,
    /// What is tried before the playout policy.
    Replies,
    /// How samples that playout policies have learned from lose weight.
    Decay,
    /// Which states share a node.
    Transpositions,
    /// Whether parts of a game are searched separately.
    Decomposition,
    /// Where simulations leave the tree.
    Growth,
    /// Whether playouts end before the game does.
    Cutoff,
    /// How results are credited.
    Backup,
    /// Whether values are proven.
    Proofs,
    /// How the final move is chosen.
    FinalMove,
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
    /// Whether it may hold several components.
    #[must_use]
    pub const fn holds_several(self) -> bool {
        matches!(self, Self::Playout | Self::Knowledge)
    }

    /// The purpose of the slot, in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Estimate => "value of moves",
            Self::Exploration => "exploration",
            Self::FirstPlay => "untried moves",
            Self::Knowledge => "knowledge",
            Self::Simultaneous => "simultaneous moves",
            Self::Opponents => "opponents",
            Self::Playout => "playouts",
            Self::Combination => "several playout policies",
            Self::Replies => "replies",
            Self::Decay => "decay",
            Self::Transpositions => "transpositions",
            Self::Decomposition => "parts of a game",
            Self::Growth => "growth of the tree",
            Self::Cutoff => "cutoff",
            Self::Backup => "credit",
            Self::Proofs => "proofs",
            Self::FinalMove => "final move",
            Self::Lanes => "lanes",
            Self::Threads => "threads",
            Self::Trees => "trees",
            Self::NoSearch => "no search",
        }
    }
}

/// A parameter of a component.
#[derive(Debug, PartialEq)]
pub struct Parameter {
    /// Its name in agent texts.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// What its values are.
    pub kind: ParameterKind,
}

/// What the values of a parameter are.
#[derive(Debug, PartialEq)]
pub enum ParameterKind {
    /// A number.
    Number {
        /// Its value if none is given.
        default: f64,
        /// The values it may take.
        range: RangeInclusive<f64>,
    },
    /// A text without commas and brackets; empty if none is given.
    Text {
        /// The placeholder for the text in explanations, such as `FILE`.
        placeholder: &'static str,
    },
    /// One of several names; the first if none is given.
    Choice {
        /// The names.
        names: &'static [&'static str],
    },
}

impl ParameterKind {
    /// The value of a parameter that is not given.
    #[must_use]
    pub fn default_value(&self) -> ParameterValue {
        match self {
            Self::Number { default, .. } => ParameterValue::Number(*default),
            Self::Text { .. } => ParameterValue::Text(String::new()),
            Self::Choice { names } => ParameterValue::Text(names[0].to_owned()),
        }
    }
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A number within the parameter's range.
    Number(f64),
    /// A text, or the name chosen.
    Text(String),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The values of a component's parameters, in the order of their declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterValues(pub(crate) Vec<ParameterValue>);

impl ParameterValues {
    /// The value of a numeric parameter, by its zero-based index; NaN if the parameter is a
    /// text.
    #[must_use]
    pub fn get(&self, parameter: usize) -> f64 {
        match &self.0[parameter] {
            ParameterValue::Number(number) => *number,
            ParameterValue::Text(_) => f64::NAN,
        }
    }

    /// The value of a text or choice, by the zero-based index of its parameter; `None` if it was
    /// not given or is a number.
    #[must_use]
    pub fn text(&self, parameter: usize) -> Option<&str> {
        match &self.0[parameter] {
            ParameterValue::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
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
    /// Adds it to an agent for a game.
    pub build: fn(&mut AgentBuilder, &ParameterValues, &GameContext<'_>),
}

impl Component {
    /// The component with the default values of its parameters.
    #[must_use]
    pub fn by_default(&'static self) -> (&'static Self, ParameterValues) {
        let defaults = self.parameters.iter();
        let defaults = defaults.map(|known| known.kind.default_value());
        (self, ParameterValues(defaults.collect()))
    }
}

impl PartialEq for Component {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
