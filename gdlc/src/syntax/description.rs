//! [`Description`]: the syntax tree of a rule sheet.
//!
//! Names keep their spelling, `or` and `and` their nesting, and every node its
//! position. A printed description is KIF that parses to the same description,
//! except for positions.

use crate::source::Span;
use gdl_runtime::kif::write_list;
use std::fmt;

/// A rule sheet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Description {
    /// Facts and rules in the order of the text.
    pub statements: Vec<Statement>,
}

/// A fact or a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// `(p a …)`.
    Fact(AtomSyntax),
    /// `(<= head condition …)`.
    Rule(RuleSyntax),
}

/// `head` holds if all conditions of `body` do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSyntax {
    /// What is derived.
    pub head: AtomSyntax,
    /// The conditions, all of which must hold.
    pub body: Vec<ConditionSyntax>,
    /// From the opening to the closing parenthesis.
    pub span: Span,
}

/// A condition in the body of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionSyntax {
    /// The atom holds.
    Atom(AtomSyntax),
    /// The terms differ.
    Distinct(TermSyntax, TermSyntax, Span),
    /// The condition does not hold.
    Not(Box<ConditionSyntax>, Span),
    /// All of them hold.
    And(Vec<ConditionSyntax>, Span),
    /// At least one of them holds.
    Or(Vec<ConditionSyntax>, Span),
}

/// A relation applied to terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtomSyntax {
    /// The relation's name.
    pub name: Name,
    /// Its arguments; `p` and `(p)` are the same.
    pub args: Vec<TermSyntax>,
    /// The whole atom.
    pub span: Span,
}

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermSyntax {
    /// `?x`, the question mark included.
    Variable(Name),
    /// `a`; `(a)` is the same.
    Constant(Name),
    /// `(f t …)`, at least one argument.
    Function(Name, Vec<TermSyntax>, Span),
}

/// A word as it is spelt in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its position.
    pub span: Span,
}

impl Description {
    /// Calls `visit` for every atom, heads and bodies, in the order of the text.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a AtomSyntax)) {
        for statement in &self.statements {
            statement.for_each_atom(visit);
        }
    }

    /// Calls `visit` for every atom of a body, in the order of the text.
    pub fn for_each_body_atom<'a>(&'a self, visit: &mut impl FnMut(&'a AtomSyntax)) {
        for condition in self.statements.iter().flat_map(Statement::body) {
            condition.for_each_atom(visit);
        }
    }

    /// Calls `visit` for every term that is not part of another, in the order of the
    /// text.
    pub fn for_each_term<'a>(&'a self, visit: &mut impl FnMut(&'a TermSyntax)) {
        for statement in &self.statements {
            statement.for_each_term(visit);
        }
    }
}

/// The words that combine conditions, or terms, into conditions.
pub const CONNECTIVES: [&str; 4] = ["not", "or", "and", "distinct"];

/// Whether a name is a word of GDL that is not a relation.
#[must_use]
pub fn is_connective(name: &str) -> bool {
    let mut words = CONNECTIVES.into_iter().chain(["<="]);
    words.any(|word| name.eq_ignore_ascii_case(word))
}

impl Name {
    /// Whether this is `word` in any case; GDL ignores case.
    #[must_use]
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// The name in lower case, in which names that differ only in case are equal.
    #[must_use]
    pub fn folded(&self) -> String {
        self.text.to_lowercase()
    }
}

impl Statement {
    /// The whole statement.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Fact(atom) => atom.span,
            Self::Rule(rule) => rule.span,
        }
    }

    /// The atom that it states or derives.
    #[must_use]
    pub fn head(&self) -> &AtomSyntax {
        match self {
            Self::Fact(atom) => atom,
            Self::Rule(rule) => &rule.head,
        }
    }

    /// Its conditions; none for a fact.
    #[must_use]
    pub fn body(&self) -> &[ConditionSyntax] {
        match self {
            Self::Fact(_) => &[],
            Self::Rule(rule) => &rule.body,
        }
    }

    /// Calls `visit` for every atom, the head first.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a AtomSyntax)) {
        visit(self.head());
        for condition in self.body() {
            condition.for_each_atom(visit);
        }
    }

    /// Calls `visit` for every term that is not part of another, in the order of the
    /// text.
    pub fn for_each_term<'a>(&'a self, visit: &mut impl FnMut(&'a TermSyntax)) {
        self.head().args.iter().for_each(&mut *visit);
        for condition in self.body() {
            condition.for_each_term(visit);
        }
    }
}

impl ConditionSyntax {
    /// The whole condition.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Distinct(_, _, span)
            | Self::Not(_, span)
            | Self::And(_, span)
            | Self::Or(_, span) => *span,
        }
    }

    /// Calls `visit` for the condition and every condition inside it, outside in.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Atom(_) | Self::Distinct(..) => {}
            Self::Not(inner, _) => inner.for_each(visit),
            Self::And(parts, _) | Self::Or(parts, _) => {
                parts.iter().for_each(|part| part.for_each(visit));
            }
        }
    }

    /// Calls `visit` for every atom in order, negated or not.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a AtomSyntax)) {
        self.for_each(&mut |condition| {
            if let Self::Atom(atom) = condition {
                visit(atom);
            }
        });
    }

    /// Calls `visit` for every term that is not part of another, in order.
    pub fn for_each_term<'a>(&'a self, visit: &mut impl FnMut(&'a TermSyntax)) {
        self.for_each(&mut |condition| match condition {
            Self::Atom(atom) => atom.args.iter().for_each(&mut *visit),
            Self::Distinct(left, right, _) => {
                visit(left);
                visit(right);
            }
            _ => {}
        });
    }
}

impl TermSyntax {
    /// The whole term.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Variable(name) | Self::Constant(name) => name.span,
            Self::Function(_, _, span) => *span,
        }
    }

    /// Calls `visit` for the term and every term inside it, outside in.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        if let Self::Function(_, args, _) = self {
            args.iter().for_each(|arg| arg.for_each(visit));
        }
    }

    /// Calls `visit` for every occurrence of a variable in the term, in order.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a Name)) {
        self.for_each(&mut |term| {
            if let Self::Variable(name) = term {
                visit(name);
            }
        });
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.statements
            .iter()
            .try_for_each(|statement| writeln!(f, "{statement}"))
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact(atom) => atom.fmt(f),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

impl fmt::Display for RuleSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(<= {}", self.head)?;
        for condition in &self.body {
            write!(f, "\n    {condition}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for ConditionSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(atom) => atom.fmt(f),
            Self::Distinct(left, right, _) => write!(f, "(distinct {left} {right})"),
            Self::Not(inner, _) => write!(f, "(not {inner})"),
            Self::And(parts, _) => write_list(f, "and", parts, |f, part| part.fmt(f)),
            Self::Or(parts, _) => write_list(f, "or", parts, |f, part| part.fmt(f)),
        }
    }
}

impl fmt::Display for AtomSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.args.is_empty() {
            f.write_str(&self.name.text)
        } else {
            write_list(f, &self.name.text, &self.args, |f, arg| arg.fmt(f))
        }
    }
}

impl fmt::Display for TermSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) | Self::Constant(name) => f.write_str(&name.text),
            Self::Function(name, args, _) => write_list(f, &name.text, args, |f, arg| arg.fmt(f)),
        }
    }
}
