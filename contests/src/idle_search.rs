//! What players search while they have nothing to decide.

use crate::budget::MoveBudget;
use gdl_agent::search::TimeControl;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What players search while they have nothing to decide, in contests on a counted budget.
/// Hosts give their players a start clock, and the play clock even where a role has a single
/// move; a contest on a counted budget does neither unless it is asked to.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct IdleSearch {
    /// The start clock: what each player may search before the first move of every game, in
    /// simulations or steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<MoveBudget>,
    /// Whether players search where their role has one legal move, as long as anywhere else.
    #[serde(default)]
    pub forced: bool,
}

impl IdleSearch {
    /// Whether players search only where they have to decide.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// These settings and, where they leave something open, those of `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            start: self.start.or(other.start),
            forced: self.forced || other.forced,
        }
    }

    /// The start clock as searches take it.
    #[must_use]
    pub fn start_clock(&self) -> Option<TimeControl> {
        self.start.map(MoveBudget::time_control)
    }

    /// A part of the name of a file; empty if there is nothing to say.
    pub(crate) fn word(self) -> String {
        let start = self.start.map(|start| format!(".start{}", start.word()));
        let forced = if self.forced { ".forced" } else { "" };
        start.unwrap_or_default() + forced
    }
}

/// What follows the budget of a move in a text; empty if there is nothing to say.
impl fmt::Display for IdleSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = self.start {
            write!(f, ", start clock {start}")?;
        }
        match self.forced {
            true => f.write_str(", forced plies too"),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_after_the_budget() {
        let idle = IdleSearch {
            start: Some(MoveBudget::Steps(200_000)),
            forced: true,
        };
        assert_eq!(
            format!("{}{idle}", MoveBudget::Steps(20_000)),
            "20,000 steps, start clock 200,000 steps, forced plies too"
        );
        assert_eq!(idle.word(), ".start200000steps.forced");
        assert_eq!(
            (
                IdleSearch::default().to_string(),
                IdleSearch::default().word()
            ),
            Default::default()
        );
    }
}
