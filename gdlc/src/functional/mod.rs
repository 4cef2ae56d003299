//! Functional fluents: from a [`Program`] to an equivalent one that needs fewer rule
//! instances.
//!
//! That the king is not threatened is often written as "the king is on a square,
//! and that square is not threatened":
//!
//! ```text
//! (<= (legal ?p (move ?u ?x)) … (true (cell ?k king)) (not (threatened ?p ?x ?k ?u)))
//! ```
//!
//! The negated relation is instantiated for every combination of a square of the
//! king and a move. If at most one `(cell ?k king)` holds in every state, that is,
//! if `?k` is a function of the state, the negation means the same as
//!
//! ```text
//! (not (there ?p ?x ?u))      (<= (there ?p ?x ?u) (true (cell ?k king)) (threatened ?p ?x ?k ?u))
//! ```
//!
//! and when the rules of `threatened` are unfolded into that of `there` (Tamaki and
//! Sato, Unfold/fold transformation of logic programs, 1984), grounding can project the
//! square out before it joins anything else.
//!
//! The same holds for conjunctions. That a line of a board contains each number once is
//! written as a relation over the contents of all its cells, with billions of instances;
//! since each cell has one content, the relation is equivalent to a combination of
//! relations over one cell each.
//!
//! 1. `candidates` finds such negations and conjunctions.
//! 2. `abstraction` proves which of the fluents are functional. It leaves the negations in
//!    question and all outcomes out: what is proved of a game with more legal moves that never
//!    ends is true of the game itself.
//! 3. `negations` and `conjunctions` rewrite what contains functional fluents;
//!    `unfolding` is what they share.

mod abstraction;
mod candidates;
mod claims;
mod conjunctions;
mod negations;
mod unfolding;

use crate::ground::GroundingBudget;
use crate::rules::{Program, restratify};
use candidates::{find_conjunctions, find_negations};
use claims::{FunctionalConjunction, FunctionalNegation};
use std::collections::BTreeSet;

/// Rewrites all negations and conjunctions beside functional fluents where that pays;
/// `None` if there is no such literal. `budget` limits what the proof takes.
///
/// The new program has the same fluents, moves and meaning.
#[must_use]
pub fn rewrite(program: &Program, budget: &GroundingBudget) -> Option<Program> {
    let (negations, conjunctions) = functional_literals(program, &budget.shared())?;
    let rewritten = negations::rewrite_negations(program, &negations);
    let mut rewritten = conjunctions::split_conjunctions(&rewritten, &conjunctions);
    restratify(&mut rewritten);
    Some(rewritten)
}

/// The negations and conjunctions whose fluents are functional, if there are any.
fn functional_literals(
    program: &Program,
    budget: &GroundingBudget,
) -> Option<(Vec<FunctionalNegation>, Vec<FunctionalConjunction>)> {
    let mut negations = find_negations(program);
    let mut conjunctions = find_conjunctions(program);
    let asked_by_negations = negations.iter().map(|negation| &negation.fluent);
    let asked = conjunctions.iter().flat_map(|one| &one.fluents);
    let asked: BTreeSet<_> = asked_by_negations.chain(asked).cloned().collect();
    if asked.is_empty() {
        return None;
    }
    let abstraction = abstraction::rules_of_play(program, &negations);
    let proved = abstraction::prove(program, &abstraction, asked, budget);
    tracing::debug!(functional_fluents = proved.len());
    negations.retain(|negation| proved.contains(&negation.fluent));
    for conjunction in &mut conjunctions {
        conjunction.fluents.retain(|fluent| proved.contains(fluent));
    }
    conjunctions.retain(|conjunction| !conjunction.fluents.is_empty());
    (!proved.is_empty()).then_some((negations, conjunctions))
}
