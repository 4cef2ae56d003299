//! Grounding: rules to [`GroundProgram`].
//!
//! The steps, in order, and what each leaves behind:
//! 1. `clause`: only rules that matter.
//! 2. `shorten`: no long bodies.
//! 3. `magic_sets`: magic predicates that keep out instances that nothing asks for.
//! 4. `split`: rules whose instances are few.
//! 5. `semi_naive`: all atoms that can hold and the rule instances between them;
//!    `plan` and `join` do its work over `atom_table`, `term` and `table`.
//! 6. `simplify`: no decided atoms, no repetitions, nothing unneeded.
//! 7. `assemble`: numbers and names.
//!
//! `budget` is read all the while.

mod assemble;
mod atom_table;
mod budget;
mod clause;
mod join;
mod magic_sets;
mod plan;
mod program;
mod semi_naive;
mod shorten;
mod show;
mod simplify;
mod split;
mod table;
mod term;

pub use budget::{GroundError, GroundingBudget, GroundingProgress, Refusal};
pub use program::*;
pub use show::show_ground;

use crate::rules::Program;
use clause::Clauses;
use magic_sets::MagicSetScope;
use semi_naive::Fixpoint;
use tracing::debug_span;

/// What may be spent before everything is guarded. Sizes alone: were it time,
/// the result would depend on the machine.
const FIRST_TRY: GroundingBudget = GroundingBudget {
    atoms: 3_000_000,
    instances: 6_000_000,
    ..GroundingBudget::UNLIMITED
};

/// Instantiates a program over everything that can be reached.
///
/// Fluents, moves and atoms are numbered in the same way whenever the same
/// program is grounded.
///
/// # Errors
/// If the budget does not suffice, or a goal value is not a whole number; the
/// error names the rule.
pub fn ground(program: &Program, budget: &GroundingBudget) -> Result<GroundProgram, GroundError> {
    let _ground = debug_span!("ground").entered();
    let clauses = prepare(program, MagicSetScope::Constants);
    let first_try = semi_naive(program, &clauses, &budget.at_most(&FIRST_TRY));
    let (clauses, mut fixpoint) = match first_try {
        Ok(fixpoint) => (clauses, fixpoint),
        Err(error) if error.refusal.is_about_size() => {
            drop(clauses);
            let clauses = prepare(program, MagicSetScope::Everything);
            let fixpoint = semi_naive(program, &clauses, budget)?;
            (clauses, fixpoint)
        }
        Err(error) => return Err(error),
    };
    let simplified =
        debug_span!("simplify").in_scope(|| simplify::simplify(&mut fixpoint, &clauses));
    debug_span!("assemble")
        .in_scope(|| assemble::assemble(program, &clauses, &fixpoint, &simplified))
}

/// The rules in the form in which they are instantiated.
fn prepare(program: &Program, scope: MagicSetScope) -> Clauses {
    let _prepare = debug_span!("prepare", ?scope).entered();
    let mut clauses = Clauses::of(program);
    shorten::shorten_bodies(&mut clauses);
    magic_sets::add_magic_predicates(&mut clauses, scope);
    split::split_rules(&mut clauses);
    clauses
}

fn semi_naive(
    program: &Program,
    clauses: &Clauses,
    budget: &GroundingBudget,
) -> Result<Fixpoint, GroundError> {
    debug_span!("semi_naive").in_scope(|| semi_naive::semi_naive(program, clauses, budget))
}
