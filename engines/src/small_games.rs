//! Bounds on what is looked for in the rules of small games while a start clock runs.

use gdlc::ground::{GroundProgram, GroundingBudget, ground};
use gdlc::rules::Program;
use std::time::Duration;

/// Nothing is looked for in games with more rule instances: with 300,000, symmetries took up to
/// two seconds.
const MOST_INSTANCES: u64 = 12_000;

/// Nor in games whose rules take longer to ground.
const LONGEST_GROUNDING: Duration = Duration::from_millis(300);

/// The maximum number of gates and operands that are looked at.
pub(crate) const MOST_WORK: u64 = 10_000_000;

/// The instances of a program; `None` if the game is too large.
pub(crate) fn ground_small(program: &Program) -> Option<GroundProgram> {
    let budget = GroundingBudget {
        instances: MOST_INSTANCES,
        time: LONGEST_GROUNDING,
        ..GroundingBudget::default()
    };
    ground(program, &budget).ok()
}
