//! Functional fluents: from a [`Program`] to an equivalent one that takes fewer rule
//! instances.
//!
//! That the king is threatened nowhere is often written as "the king is on a square,
//! and that square is not threatened":
//!
//! ```text
//! (<= (legal ?p (move ?u ?x)) … (true (cell ?k king)) (not (threatened ?p ?x ?k ?u)))
//! ```
//!
//! The negated relation is instantiated for every square of the king beside every
//! move. If at most one `(cell ?k king)` holds in every state, that is, if `?k` is a
//! function of the state, the negation means the same as
//!
//! ```text
//! (not (there ?p ?x ?u))      (<= (there ?p ?x ?u) (true (cell ?k king)) (threatened ?p ?x ?k ?u))
//! ```
//!
//! and when the rules of `threatened` are unfolded into that of `there` (Tamaki and
//! Sato, Unfold/fold transformation of logic programs, 1984), grounding can project the
//! square out before it joins anything else.
//!
//! 1. `candidates` finds such negations.
//! 2. `abstraction` proves which of the fluents are functional. It leaves the negations
//!    out: what is proved of a game with more legal moves is true of the game itself.
//! 3. `unfolding` rewrites the negations whose fluents are.

mod abstraction;
mod candidates;
mod negation;
mod unfolding;

use crate::ground::GroundingBudget;
use crate::rules::Program;
use candidates::find_candidates;

/// Rewrites all negations beside functional fluents for which it pays; none if there is
/// no such negation. `budget` limits the grounding of what the proof takes.
///
/// The new program has the same fluents, moves and meaning.
#[must_use]
pub fn rewrite(program: &Program, budget: &GroundingBudget) -> Option<Program> {
    let candidates = find_candidates(program);
    if candidates.is_empty() {
        return None;
    }
    let proved = abstraction::keep_functional(program, candidates, budget);
    tracing::debug!(functional_negations = proved.len());
    (!proved.is_empty()).then(|| unfolding::rewrite_negations(program, &proved))
}
