//! Grounding: rules to [`GroundProgram`].
//!
//! The steps in order:
//! 1. `clause` keeps the rules that matter.
//! 2. `shorten` cuts long bodies.
//! 3. `magic_sets` adds magic predicates, which keep out instances that nothing
//!    asks for.
//! 4. `split` divides rules so that they have few instances.
//! 5. `semi_naive` finds all atoms that can hold and the rule instances between
//!    them; `join` does its work over `atom_table`, `term` and `table`.
//! 6. `simplify` drops decided atoms, duplicate rules and everything unneeded.
//! 7. `assemble` numbers and names what is left.
//!
//! A `budget` limits step 5, on whose result the cost of the later steps depends.

mod assemble;
mod atom_table;
mod budget;
mod clause;
mod join;
mod magic_sets;
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
use split::SplitCost;
use tracing::debug_span;

/// What may be spent on a program as it stands, before anything else is tried. Limits sizes
/// only, as all limits of a try do: if they limited time, the result would depend on the
/// machine.
pub(crate) const FIRST_TRY: GroundingBudget = GroundingBudget {
    atoms: 1_000_000,
    instances: 6_000_000,
    ..GroundingBudget::UNLIMITED
};

/// What may be spent on the last try, which makes a program either small or hardly smaller.
const LAST_TRY: GroundingBudget = GroundingBudget {
    atoms: 3_000_000,
    instances: 6_000_000,
    ..GroundingBudget::UNLIMITED
};

/// What the relations that do not vary may take to be evaluated in full when the
/// others are restricted by magic sets.
const STATIC_RELATIONS: GroundingBudget = GroundingBudget {
    atoms: 1_000_000,
    ..GroundingBudget::UNLIMITED
};

/// Instantiates a program over everything that can be reached: in full if that takes at
/// most a million atoms and six million instances, otherwise only what is asked for.
///
/// The numbering of fluents, moves and atoms depends on the program alone.
///
/// # Errors
/// If the budget does not suffice, or a goal value is not a whole number. The
/// error names the rule.
pub fn ground(program: &Program, budget: &GroundingBudget) -> Result<GroundProgram, GroundError> {
    let budget = budget.shared();
    match ground_in_full(program, &budget.at_most(&FIRST_TRY)) {
        Err(error) if error.refusal.is_about_size() => ground_on_demand(program, &budget),
        grounded => grounded,
    }
}

/// Instantiates a program as it stands: magic predicates restrict only what is asked for with
/// constants, and recursion from there.
///
/// # Errors
/// As [`ground`].
pub fn ground_in_full(
    program: &Program,
    budget: &GroundingBudget,
) -> Result<GroundProgram, GroundError> {
    ground_in_scope(program, budget, MagicSetScope::Constants)
}

/// Instantiates only what is asked for: makes programs fit that are otherwise too
/// large, and takes longer for all others.
///
/// # Errors
/// As [`ground`].
pub fn ground_on_demand(
    program: &Program,
    budget: &GroundingBudget,
) -> Result<GroundProgram, GroundError> {
    let budget = budget.shared();
    let clauses = prepare(program, MagicSetScope::Constants);
    let within = budget.at_most(&STATIC_RELATIONS);
    let scope = match semi_naive::statics_fit(program, &clauses, &within)? {
        true => MagicSetScope::Varying,
        false => MagicSetScope::Everything,
    };
    drop(clauses);
    let grounded = ground_in_scope(program, &budget, scope);
    match grounded {
        Err(error) if error.refusal.is_about_size() && scope == MagicSetScope::Varying => {
            let budget = budget.at_most(&LAST_TRY);
            ground_in_scope(program, &budget, MagicSetScope::VaryingByStatics).map_err(|_| error)
        }
        grounded => grounded,
    }
}

/// Instantiates only what is asked for, even of static relations: for programs whose static
/// relations are known to be too large.
///
/// # Errors
/// As [`ground`].
pub(crate) fn ground_asked_for(
    program: &Program,
    budget: &GroundingBudget,
) -> Result<GroundProgram, GroundError> {
    ground_in_scope(program, budget, MagicSetScope::Everything)
}

fn ground_in_scope(
    program: &Program,
    budget: &GroundingBudget,
    scope: MagicSetScope,
) -> Result<GroundProgram, GroundError> {
    let _ground = debug_span!("ground").entered();
    let clauses = prepare(program, scope);
    let mut fixpoint = evaluate(program, &clauses, budget)?;
    let simplified =
        debug_span!("simplify").in_scope(|| simplify::simplify(&mut fixpoint, &clauses));
    debug_span!("assemble")
        .in_scope(|| assemble::assemble(program, &clauses, &fixpoint, &simplified))
}

/// The rules as they are instantiated.
fn prepare(program: &Program, scope: MagicSetScope) -> Clauses {
    let _prepare = debug_span!("prepare", ?scope).entered();
    let mut clauses = Clauses::of(program);
    shorten::shorten_bodies(&mut clauses);
    magic_sets::add_magic_predicates(&mut clauses, scope);
    // Where most literals follow magic predicates, these are what keeps instances few: with the
    // other cost, the public chess would exceed its budget.
    let cost = match scope {
        MagicSetScope::Constants => SplitCost::SparseStatics,
        _ => SplitCost::Variables,
    };
    split::split_rules(&mut clauses, cost);
    clauses
}

fn evaluate(
    program: &Program,
    clauses: &Clauses,
    budget: &GroundingBudget,
) -> Result<Fixpoint, GroundError> {
    debug_span!("semi_naive").in_scope(|| semi_naive::evaluate(program, clauses, budget))
}
