//! What the rewriting steps pass to one another: fluents that may be functional,
//! and the literals that could be rewritten if they are.

use crate::rules::RuleId;

/// The claim that a literal `(true (f …))` of a rule holds in every state for at most
/// one choice of some arguments, whatever the other arguments are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FunctionalFluent {
    pub rule: RuleId,
    /// The position of the literal in the rule's body.
    pub holds: usize,
    /// The positions of the determined arguments of the fluent: variables that occur nowhere
    /// else in it.
    pub determined: Vec<usize>,
}

/// A negated atom that contains the variables which a fluent of its rule may determine.
#[derive(Debug, Clone)]
pub(super) struct FunctionalNegation {
    pub fluent: FunctionalFluent,
    /// The position of the negated atom in the rule's body.
    pub negated: usize,
}

/// A rule with atoms that share several variables which fluents may determine.
#[derive(Debug, Clone)]
pub(super) struct FunctionalConjunction {
    pub rule: RuleId,
    /// The fluents, at most one for a variable.
    pub fluents: Vec<FunctionalFluent>,
}
