//! [`FunctionalNegation`]: what the steps of the rewriting pass on.

use crate::rules::RuleId;

/// A negated atom of a rule, and a literal `(true (f …))` of the same rule which may
/// hold for one choice of some arguments at most.
#[derive(Debug, Clone)]
pub(super) struct FunctionalNegation {
    pub rule: RuleId,
    /// The position of the negated atom in the rule's body.
    pub negated: usize,
    /// The position of the literal over `true`.
    pub holds: usize,
    /// The positions of the fluent's arguments that the state may determine: variables
    /// that the negated atom contains as well.
    pub determined: Vec<usize>,
}
