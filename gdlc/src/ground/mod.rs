//! Grounding: rules to [`GroundProgram`].
//!
//! The steps, in order, and what each leaves behind:
//! 1. `clause`: only rules that matter.
//! 2. `shorten`: no long bodies.
//! 3. `demand`: guards that keep out instances that nothing asks for.
//! 4. `split`: rules whose instances are few.
//! 5. `saturate`: all atoms that can hold and the rule instances between them;
//!    `plan` and `join` do its work over `extension`, `term` and `table`.
//! 6. `simplify`: no decided atoms, no repetitions, nothing unneeded.
//! 7. `assemble`: numbers and names.
//!
//! `budget` is read all the while.

mod assemble;
mod budget;
mod clause;
mod demand;
mod extension;
mod join;
mod plan;
mod program;
mod saturate;
mod shorten;
mod show;
mod simplify;
mod split;
mod table;
mod term;

pub use budget::{Budget, GroundError, Progress, Refusal};
pub use program::*;
pub use show::show_ground;

use crate::rules::Program;
use tracing::debug_span;

/// Instantiates a program over everything that can be reached.
///
/// Fluents, moves and atoms are numbered in the same way whenever the same
/// program is grounded.
///
/// # Errors
/// If the budget does not suffice, or a goal value is not a whole number; the
/// error names the rule.
pub fn ground(program: &Program, budget: &Budget) -> Result<GroundProgram, GroundError> {
    let _ground = debug_span!("ground").entered();
    let mut clauses = debug_span!("relevance").in_scope(|| clause::Clauses::of(program));
    debug_span!("shorten").in_scope(|| shorten::shorten_bodies(&mut clauses));
    debug_span!("demand").in_scope(|| demand::guard_relations(&mut clauses));
    debug_span!("split").in_scope(|| split::split_rules(&mut clauses));
    let mut saturated =
        debug_span!("saturate").in_scope(|| saturate::saturate(program, &clauses, budget))?;
    let simplified =
        debug_span!("simplify").in_scope(|| simplify::simplify(&mut saturated, &clauses));
    debug_span!("assemble")
        .in_scope(|| assemble::assemble(program, &clauses, &saturated, &simplified))
}
