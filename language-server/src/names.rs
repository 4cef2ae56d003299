//! The words of a text and what they name.

use gdlc::rules::Keyword;
use gdlc::source::Span;

/// A statement.
#[derive(Debug)]
pub struct Outline {
    /// From its first to its last token.
    pub span: Span,
    /// Its head among the occurrences, if it has one.
    pub head: Option<usize>,
    /// Whether it is a rule and not a fact.
    pub is_rule: bool,
}

impl Outline {
    /// A statement of which no word was read yet.
    #[must_use]
    pub fn new(span: Span) -> Self {
        Self {
            span,
            head: None,
            is_rule: false,
        }
    }
}

/// A word of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// Where it is.
    pub span: Span,
    /// The word in lower case, so that words that mean the same are equal.
    pub folded: String,
    /// What it names.
    pub sort: Sort,
    /// The number of its arguments.
    pub arity: usize,
    /// The number of its statement.
    pub statement: usize,
}

/// What a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Nothing: `<=`, `not`, `or`, `and` or `distinct`.
    Connective,
    /// A relation, in the head of a statement or in a condition.
    Relation {
        /// Whether it is the head's.
        is_head: bool,
    },
    /// A function or a constant, and what it is an argument of.
    Term(Argument),
    /// A variable, and whether it is an argument of a condition that binds it.
    Variable {
        /// Whether the condition around it binds it.
        is_bound: bool,
    },
}

/// Which argument a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Of a keyword: its number, and whether the keyword is a head's.
    Keyword(Keyword, usize, bool),
    /// Of another relation; whether of a head.
    Relation(bool),
    /// Of a function or of `distinct`.
    Inner,
}

impl Argument {
    /// Whether the term is something that holds in a state.
    #[must_use]
    pub fn is_fluent(self) -> bool {
        use Keyword::{Base, Init, Next, True};
        matches!(self, Self::Keyword(Base | Init | Next | True, 0, _))
    }

    /// Whether the term is a move.
    #[must_use]
    pub fn is_move(self) -> bool {
        use Keyword::{Does, Input, Legal};
        matches!(self, Self::Keyword(Does | Input | Legal, 1, _))
    }

    /// Whether the term is a role.
    #[must_use]
    pub fn is_role(self) -> bool {
        use Keyword::{Does, Goal, Input, Legal, Role};
        matches!(
            self,
            Self::Keyword(Does | Goal | Input | Legal | Role, 0, _)
        )
    }

    /// What the term is to the game, if it is a fluent, a move or a role.
    #[must_use]
    pub fn part(self) -> Option<&'static str> {
        match self {
            argument if argument.is_fluent() => Some("fluent"),
            argument if argument.is_move() => Some("move"),
            argument if argument.is_role() => Some("role"),
            _ => None,
        }
    }

    /// Whether the term is an argument of a head.
    #[must_use]
    pub fn is_of_head(self) -> bool {
        matches!(self, Self::Keyword(_, _, true) | Self::Relation(true))
    }
}

impl Occurrence {
    /// Whether two words name the same thing.
    #[must_use]
    pub fn names_same(&self, other: &Self) -> bool {
        self.folded == other.folded
            && match (self.sort, other.sort) {
                (Sort::Relation { .. }, Sort::Relation { .. })
                | (Sort::Term(_), Sort::Term(_))
                | (Sort::Connective, Sort::Connective) => true,
                (Sort::Variable { .. }, Sort::Variable { .. }) => self.statement == other.statement,
                _ => false,
            }
    }

    /// The keyword that a relation is.
    #[must_use]
    pub fn keyword(&self) -> Option<Keyword> {
        match self.sort {
            Sort::Relation { .. } => Keyword::from_word(&self.folded),
            _ => None,
        }
    }
}
