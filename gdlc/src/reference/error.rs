//! What can go wrong while rules are evaluated.

use std::fmt;

/// Limits of one evaluation, that is, of answering one query about one state.
///
/// Rules with functions may describe infinitely many facts, and finite ones may
/// be too many to wait for: past a limit the evaluation ends in a
/// [`ReferenceError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvaluationBudget {
    /// Facts derived.
    pub facts: u64,
    /// Facts looked at while rules are matched.
    pub matches: u64,
    /// Functions inside one another in a term.
    pub depth: u32,
    /// Facts of relations that depend on one another above which they are
    /// restricted to what is asked about, if they can be; twenty times as many
    /// of relations that do not vary with the state, which are evaluated once.
    /// No answer depends on it, only speed and memory.
    pub unrestricted: u64,
}

impl Default for EvaluationBudget {
    fn default() -> Self {
        Self {
            facts: 20_000_000,
            matches: 10_000_000_000,
            depth: 500,
            unrestricted: 50_000,
        }
    }
}

/// A rule sheet or a state that cannot be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceError {
    /// Rules negate what they depend on themselves; checked programs never do.
    Unstratified {
        /// A relation of the cycle.
        relation: String,
    },
    /// Evaluation exceeded its budget.
    OverBudget {
        /// The rule that was being evaluated.
        rule: String,
        /// Its line in the rule sheet.
        line: usize,
        /// The limit that was passed.
        cause: Cause,
    },
    /// A goal value that is not a whole number.
    Goal {
        /// The value as KIF.
        value: String,
    },
    /// A move for every role is needed.
    JointMove {
        /// The number of roles.
        roles: usize,
        /// The number of moves given.
        moves: usize,
    },
}

/// Which limit of a [`EvaluationBudget`] was passed; each with the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// [`EvaluationBudget::facts`].
    TooManyFacts(u64),
    /// [`EvaluationBudget::matches`].
    TooManyMatches(u64),
    /// [`EvaluationBudget::depth`].
    TermTooDeep(u32),
}

/// A text that is no ground term of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseTermError {
    /// It is not one term of KIF, or too deep.
    Malformed(String),
    /// It contains a name that the rule sheet does not.
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

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstratified { relation } => {
                write!(f, "{relation} depends on its own negation")
            }
            Self::OverBudget { rule, line, cause } => {
                write!(f, "{cause}, while evaluating line {line}: {rule}")
            }
            Self::Goal { value } => write!(f, "the goal value {value} is not a whole number"),
            Self::JointMove { roles, moves } => {
                write!(f, "{moves} moves were given for {roles} roles")
            }
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyFacts(limit) => write!(f, "more than {limit} facts follow"),
            Self::TooManyMatches(limit) => write!(f, "more than {limit} facts were looked at"),
            Self::TermTooDeep(limit) => write!(f, "terms nest deeper than {limit}"),
        }
    }
}

impl fmt::Display for ParseTermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(text) => write!(f, "not one ground term: {text}"),
            Self::UnknownSymbol(name) => write!(f, "{name} does not occur in the rules"),
        }
    }
}

impl std::error::Error for ReferenceError {}
impl std::error::Error for ParseTermError {}
