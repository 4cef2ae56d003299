//! Errors of evaluation, and the budget that limits it.

use thiserror::Error;

/// Limits of one evaluation, that is, of one query about one state.
///
/// Rules may describe infinitely many facts, or more than anyone would wait for. An
/// evaluation that exceeds a limit ends in a [`ReferenceError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvaluationBudget {
    /// The number of facts derived; a long one counts once more for every 64 bytes of its terms
    /// as KIF.
    pub facts: u64,
    /// The number of facts looked at while rules are matched.
    pub matches: u64,
    /// The nesting of functions in a term.
    pub depth: u32,
    /// The length of a term as KIF, in bytes.
    pub length: u32,
    /// The number of different terms met in this and all earlier evaluations: they are never
    /// forgotten.
    pub terms: u64,
    /// The number of facts per stratum above which its relations are restricted by
    /// magic sets, if they can be; two hundred times as many for relations that do
    /// not vary with the state, which are evaluated once. Affects only speed and
    /// memory.
    pub unrestricted: u64,
}

impl Default for EvaluationBudget {
    fn default() -> Self {
        Self {
            facts: 20_000_000,
            matches: 10_000_000_000,
            depth: 500,
            length: 20_000,
            terms: 40_000_000,
            unrestricted: 5_000,
        }
    }
}

/// A rule sheet or a state that cannot be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReferenceError {
    /// A relation depends on its own negation; never the case in checked programs.
    #[error("{relation} depends on its own negation")]
    Unstratified {
        /// A relation of the cycle.
        relation: String,
    },
    /// Evaluation exceeded its budget.
    #[error("{cause}, while evaluating line {line}: {rule}")]
    OverBudget {
        /// The rule that was being evaluated.
        rule: String,
        /// Its line in the rule sheet.
        line: usize,
        /// The limit that was exceeded.
        cause: Cause,
    },
    /// A goal value that is not a whole number.
    #[error("the goal value {value} is not a whole number")]
    Goal {
        /// The value as KIF.
        value: String,
    },
    /// A joint move does not have exactly one move per role.
    #[error("{moves} moves were given for {roles} roles")]
    JointMove {
        /// The number of roles.
        roles: usize,
        /// The number of moves given.
        moves: usize,
    },
}

/// The limit of an [`EvaluationBudget`] that was exceeded, with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Cause {
    /// [`EvaluationBudget::facts`].
    #[error("more than {0} facts follow, where long ones count several times")]
    TooManyFacts(u64),
    /// [`EvaluationBudget::matches`].
    #[error("more than {0} facts were looked at")]
    TooManyMatches(u64),
    /// [`EvaluationBudget::depth`].
    #[error("terms nest deeper than {0}")]
    TermTooDeep(u32),
    /// [`EvaluationBudget::length`].
    #[error("terms are longer than {0} bytes")]
    TermTooLong(u32),
    /// [`EvaluationBudget::terms`].
    #[error("there are more than {0} different terms")]
    TooManyTerms(u64),
}

/// A text that is not a ground term of the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseTermError {
    /// It is not a single KIF term, or too deep or too long.
    #[error("not one ground term: {0}")]
    Malformed(String),
    /// It contains a name that does not occur in the rule sheet.
    #[error("{0} does not occur in the rules")]
    UnknownSymbol(String),
}

impl ReferenceError {
    pub(super) const fn is_too_many_facts(&self) -> bool {
        matches!(
            self,
            Self::OverBudget {
                cause: Cause::TooManyFacts(_),
                ..
            }
        )
    }
}
