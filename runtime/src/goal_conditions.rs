//! [`GoalConditions`]: what has to hold for the goal values of a game.

use std::sync::Arc;

use crate::conditions::FluentConditions;

/// The conditions of the goal values of all roles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalConditions {
    /// One condition for each of `goals`.
    pub conditions: FluentConditions,
    /// Roles and values, in the order of the conditions.
    pub goals: Box<[(usize, i32)]>,
}

/// Finds the conditions of a game's goals when first called, and caches them; `None` if the game
/// is too large or its goals are recursive.
pub type GoalConditionFinder = Arc<dyn Fn() -> Option<Arc<GoalConditions>> + Send + Sync>;
