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
use clause::Clauses;
use demand::Guarding;
use saturate::Saturated;
use tracing::debug_span;

/// What may be spent before everything is guarded. Sizes alone: were it time,
/// the result would depend on the machine.
const FIRST_TRY: Budget = Budget {
    atoms: 3_000_000,
    instances: 6_000_000,
    ..Budget::UNLIMITED
};

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
    let clauses = prepare(program, Guarding::Constants);
    let first_try = saturate(program, &clauses, &budget.at_most(&FIRST_TRY));
    let (clauses, mut saturated) = match first_try {
        Ok(saturated) => (clauses, saturated),
        Err(error) if error.refusal.is_about_size() => {
            drop(clauses);
            let clauses = prepare(program, Guarding::Everything);
            let saturated = saturate(program, &clauses, budget)?;
            (clauses, saturated)
        }
        Err(error) => return Err(error),
    };
    let simplified =
        debug_span!("simplify").in_scope(|| simplify::simplify(&mut saturated, &clauses));
    debug_span!("assemble")
        .in_scope(|| assemble::assemble(program, &clauses, &saturated, &simplified))
}

/// The rules in the form in which they are instantiated.
fn prepare(program: &Program, guarding: Guarding) -> Clauses {
    let _prepare = debug_span!("prepare", ?guarding).entered();
    let mut clauses = Clauses::of(program);
    shorten::shorten_bodies(&mut clauses);
    demand::guard_relations(&mut clauses, guarding);
    split::split_rules(&mut clauses);
    clauses
}

fn saturate(
    program: &Program,
    clauses: &Clauses,
    budget: &Budget,
) -> Result<Saturated, GroundError> {
    debug_span!("saturate").in_scope(|| saturate::saturate(program, clauses, budget))
}
