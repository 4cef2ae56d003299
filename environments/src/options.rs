//! How environments are made.

use crate::planes::PlaneLayout;
use std::sync::Arc;

/// What is done with a game that has ended or was cut off, as Gymnasium names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Autoreset {
    /// The next step ignores the action and begins a new game.
    #[default]
    NextStep,
    /// The same step begins a new game; what was observed last is reported separately.
    SameStep,
    /// Nothing: it stays as it is until it is reset.
    Disabled,
}

/// What is observed.
#[derive(Debug, Clone, Default)]
pub enum Observation {
    /// Nothing.
    None,
    /// All fluents.
    #[default]
    Fluents,
    /// What is on the boards.
    Planes(Arc<PlaneLayout>),
}

/// How goals become rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RewardScale {
    /// Goals divided by 100: from 0 to 1.
    #[default]
    Unit,
    /// By how much a role's goal exceeds the mean of the others', divided by 100: from -1
    /// to 1, with a sum of zero.
    ZeroSum,
}

/// How environments are made.
#[derive(Debug, Clone)]
pub struct EnvironmentOptions {
    /// The number of games.
    pub environments: usize,
    /// What is observed.
    pub observation: Observation,
    /// Whether observations and masks are packed, eight bits to a byte, the lowest first.
    pub packed: bool,
    /// Whether each game takes one action per step, that of its current player, or one of
    /// every role; `None` for one where the rules let one role choose at a time.
    pub one_action: Option<bool>,
    /// How goals become rewards.
    pub rewards: RewardScale,
    /// What is done with games that end.
    pub autoreset: Autoreset,
    /// The number of steps after which a game is cut off.
    pub step_limit: Option<u32>,
}

impl Default for EnvironmentOptions {
    fn default() -> Self {
        Self {
            environments: 1,
            observation: Observation::default(),
            packed: false,
            one_action: None,
            rewards: RewardScale::default(),
            autoreset: Autoreset::default(),
            step_limit: None,
        }
    }
}
