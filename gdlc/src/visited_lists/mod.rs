//! Visited lists: from a [`Program`] to an equivalent one without arguments that only keep a
//! recursion from going in circles.
//!
//! Whether two squares are connected is sometimes written as a walk that carries the
//! squares it has been on:
//!
//! ```text
//! (<= (connected ?x ?y ?visited) (square ?x) (append_new ?x ?visited ?longer) (walk ?x ?y ?longer))
//! (<= (walk ?x ?y ?visited) (adjacent ?x ?y))
//! (<= (walk ?x ?y ?visited) (adjacent ?x ?z) (connected ?z ?y ?visited))
//! (<= (line ?c) … (connected ?x ?y nil))
//! ```
//!
//! There is an atom for every path, far more than can be grounded. But if there is a walk
//! at all, there is one without cycles, so the list decides nothing: without it, the same
//! squares are connected.
//!
//! That holds for a list that every rule of the recursion passes on unchanged or with
//! one more element, if
//!
//! 1. an element determines all arguments of the atom that adds it, except those that
//!    the recursion never changes (`elements`);
//! 2. what the rules ask of a list does not tell one element from another (`alike`);
//! 3. beginning with the list that a call from outside passes, all elements can be added
//!    one after another in one order, and every list on the way satisfies what the rules
//!    ask of it (`growth`).
//!
//! *Proof.* Dropping an argument and conditions can only make more atoms hold. Conversely,
//! let an atom hold without lists. In a derivation in which every atom is derived from
//! atoms that were found earlier, no atom occurs twice on a branch, so that by 1 no element
//! is added twice on it. By 2 the elements of 3 can be exchanged for one another, so that
//! the lists of 3 exist for the order in which the branch adds its elements, and the
//! derivation is one with lists.

mod alike;
mod elements;
mod growth;
mod recursion;

use crate::ground::GroundingBudget;
use crate::rules::{Atom, Literal, Program, restratify};
use recursion::{Recursion, find_recursions};

/// Drops all lists that decide nothing; `None` if there are no such lists. `budget` limits
/// what each proof takes, and the time of all of them.
///
/// The new program has the same fluents, moves and meaning.
#[must_use]
pub fn without_visited_lists(program: &Program, budget: &GroundingBudget) -> Option<Program> {
    let budget = budget.shared();
    let mut rewritten = drop_one(program, &budget)?;
    while let Some(shorter) = drop_one(&rewritten, &budget) {
        rewritten = shorter;
    }
    Some(rewritten)
}

/// Drops the first list that decides nothing.
fn drop_one(program: &Program, budget: &GroundingBudget) -> Option<Program> {
    let mut found = find_recursions(program).into_iter();
    let idle = found.find(|recursion| decides_nothing(program, recursion, budget))?;
    let mut rewritten = program.clone();
    drop_visited_list(&mut rewritten, &idle);
    restratify(&mut rewritten);
    Some(rewritten)
}

fn decides_nothing(program: &Program, recursion: &Recursion, budget: &GroundingBudget) -> bool {
    let Some(elements) = elements::identifying_elements(program, recursion) else {
        return false;
    };
    alike::are_alike(program, recursion, &elements)
        && (recursion.starts.iter())
            .all(|start| growth::can_hold_all(program, recursion, start, &elements, budget))
}

/// Removes the argument, and what the rules of the recursion ask of it.
fn drop_visited_list(program: &mut Program, recursion: &Recursion) {
    for (rule, about_lists) in &recursion.about_lists {
        let body = &mut program.rules[*rule].body;
        let literals = std::mem::take(body).into_iter().enumerate();
        let kept = literals.filter(|(at, _)| !about_lists.contains(at));
        body.extend(kept.map(|(_, literal)| literal));
    }
    let shorten = |atom: &mut Atom| {
        if recursion.relations.contains(&atom.relation) {
            atom.args.remove(recursion.position);
        }
    };
    for rule in program.rules.iter_mut() {
        shorten(&mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                shorten(atom);
            }
        }
    }
    for &relation in &recursion.relations {
        let relation = &mut program.relations[relation];
        relation.arity -= 1;
        tracing::debug!(
            relation = program.symbols[relation.name],
            "visited list dropped"
        );
    }
}
