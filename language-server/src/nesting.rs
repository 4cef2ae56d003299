//! Finds out what each word of a text names from the parentheses around it.

use crate::names::{Argument, Occurrence, Outline, Sort};
use gdlc::rules::Keyword;
use gdlc::source::Span;
use gdlc::syntax::{SyntaxToken, TokenKind, is_connective};

/// What may stand at a place of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// What a word there would name.
    pub expected: Expected,
    /// Whether the word would be the first of a list.
    pub begins_list: bool,
    /// The statement that the place is in, if it is in one.
    pub statement: Option<usize>,
}

/// What a list or a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A fact or a rule.
    Statement,
    /// The head of a rule.
    Head,
    /// A condition; whether it is negated.
    Condition {
        /// Whether a `not` is around it.
        is_negated: bool,
    },
    /// A term, and which argument it is; whether the condition around it binds variables.
    Term {
        /// Which argument it is.
        argument: Argument,
        /// Whether it is part of a condition that binds variables.
        is_bound: bool,
    },
}

/// A list that is open.
struct UnclosedList {
    /// What the list is.
    expected: Expected,
    /// What its arguments are, once its first word is known.
    word: Option<FirstWord>,
    /// The number of arguments so far.
    arguments: usize,
    /// Its first word among the occurrences.
    occurrence: Option<usize>,
}

/// What the first word of a list says about its arguments.
#[derive(Clone, Copy)]
enum FirstWord {
    Rule,
    Conditions {
        is_negated: bool,
    },
    Relation {
        keyword: Option<Keyword>,
        is_head: bool,
        is_bound: bool,
    },
    Terms {
        is_bound: bool,
    },
}

/// Reads tokens one after the other.
pub struct Nesting<'t> {
    text: &'t str,
    /// For every token, whether it is a parenthesis with a counterpart.
    matched: Vec<bool>,
    lists: Vec<UnclosedList>,
    /// Whether the statement that is being read is closed somewhere.
    is_closed: bool,
    statements: Vec<Outline>,
    occurrences: Vec<Occurrence>,
}

impl<'t> Nesting<'t> {
    /// Starts before the first token of a text.
    pub fn new(text: &'t str, tokens: &[SyntaxToken]) -> Self {
        Self {
            text,
            matched: matched(tokens),
            lists: Vec::new(),
            is_closed: true,
            statements: Vec::new(),
            occurrences: Vec::new(),
        }
    }

    /// Reads a token, the `number`-th of all.
    pub fn add(&mut self, number: usize, token: SyntaxToken) {
        match token.kind {
            TokenKind::Comment => return,
            // A surplus one belongs to no statement.
            TokenKind::Close if self.lists.is_empty() => return,
            TokenKind::Open => self.open(number, token.span),
            TokenKind::Close => self.close(),
            TokenKind::Variable | TokenKind::Symbol | TokenKind::Unknown => self.word(token),
        }
        if let Some(statement) = self.statements.last_mut() {
            statement.span.end = token.span.end;
        }
    }

    /// What has been read.
    pub fn finish(mut self) -> (Vec<Outline>, Vec<Occurrence>) {
        while !self.lists.is_empty() {
            self.close();
        }
        (self.statements, self.occurrences)
    }

    /// What may follow the last token.
    pub fn scope(&self) -> Scope {
        let statement = self.statements.len().checked_sub(1);
        match self.lists.last() {
            None => Scope {
                expected: Expected::Statement,
                begins_list: false,
                statement: None,
            },
            Some(list) => Scope {
                expected: match list.word {
                    None => list.expected,
                    Some(_) => list.argument(),
                },
                begins_list: list.word.is_none(),
                statement,
            },
        }
    }

    fn open(&mut self, number: usize, span: Span) {
        let before = self.text.get(..span.start as usize).unwrap_or("");
        let starts_line = before.is_empty() || before.ends_with(['\n', '\r']);
        if starts_line && !self.is_closed {
            while !self.lists.is_empty() {
                self.close();
            }
        }
        let expected = self.next();
        if self.lists.is_empty() {
            self.is_closed = self.matched.get(number).copied().unwrap_or(false);
            self.statements.push(Outline::new(span));
        }
        self.lists.push(UnclosedList {
            expected,
            word: None,
            arguments: 0,
            occurrence: None,
        });
    }

    fn close(&mut self) {
        if let Some(list) = self.lists.pop()
            && let Some(occurrence) = list.occurrence
        {
            self.occurrences[occurrence].arity = list.arguments;
        }
    }

    /// What the next list or word is; counts it as an argument.
    fn next(&mut self) -> Expected {
        let Some(list) = self.lists.last_mut() else {
            return Expected::Statement;
        };
        // A list that begins with a list means nothing, but the lists in it are read like others.
        let expected = list.argument();
        if list.word.is_none() {
            list.word = Some(FirstWord::Terms { is_bound: false });
        } else {
            list.arguments += 1;
        }
        expected
    }

    fn word(&mut self, token: SyntaxToken) {
        let text = self
            .text
            .get(token.span.start as usize..token.span.end as usize);
        let folded = text.unwrap_or("").to_lowercase();
        if self.lists.is_empty() {
            self.statements.push(Outline::new(token.span));
        }
        let first_of = self.lists.last().filter(|list| list.word.is_none());
        let (expected, is_first) = match first_of {
            Some(list) => (list.expected, true),
            None => (self.next(), false),
        };
        let (sort, word) = meaning(expected, &folded, token.kind, is_first);
        let occurrence = self.occurrences.len();
        if is_first && let Some(list) = self.lists.last_mut() {
            list.word = Some(word);
            list.occurrence = Some(occurrence);
        }
        let is_head = sort == Sort::Relation { is_head: true };
        if let Some(statement) = self.statements.last_mut() {
            statement.is_rule |= matches!(word, FirstWord::Rule);
            if is_head {
                statement.head.get_or_insert(occurrence);
            }
        }
        self.occurrences.push(Occurrence {
            span: token.span,
            folded,
            sort,
            arity: 0,
            statement: self.statements.len().saturating_sub(1),
        });
    }
}

impl UnclosedList {
    /// What its next argument is.
    fn argument(&self) -> Expected {
        let inner = |argument, is_bound| Expected::Term { argument, is_bound };
        match self.word {
            Some(FirstWord::Rule) if self.arguments == 0 => Expected::Head,
            Some(FirstWord::Rule) => Expected::Condition { is_negated: false },
            Some(FirstWord::Conditions { is_negated }) => Expected::Condition { is_negated },
            Some(FirstWord::Relation {
                keyword,
                is_head,
                is_bound,
            }) => inner(
                match keyword {
                    Some(keyword) => Argument::Keyword(keyword, self.arguments, is_head),
                    None => Argument::Relation(is_head),
                },
                is_bound,
            ),
            Some(FirstWord::Terms { is_bound }) => inner(Argument::Inner, is_bound),
            None => inner(Argument::Inner, false),
        }
    }
}

/// What a word names, and what its arguments are if it is the first of a list.
fn meaning(expected: Expected, folded: &str, kind: TokenKind, is_first: bool) -> (Sort, FirstWord) {
    if kind == TokenKind::Variable {
        let is_bound = matches!(expected, Expected::Term { is_bound: true, .. });
        return (Sort::Variable { is_bound }, FirstWord::Terms { is_bound });
    }
    let relation = |is_head, is_bound| {
        let keyword = Keyword::from_word(folded);
        let word = FirstWord::Relation {
            keyword,
            is_head,
            is_bound,
        };
        (Sort::Relation { is_head }, word)
    };
    match (expected, folded) {
        (Expected::Statement, "<=") if is_first => (Sort::Connective, FirstWord::Rule),
        (Expected::Statement | Expected::Head, _) => relation(true, false),
        (Expected::Condition { .. }, "distinct") if is_first => {
            (Sort::Connective, FirstWord::Terms { is_bound: false })
        }
        (Expected::Condition { is_negated }, _) if is_first && is_connective(folded) => {
            let is_negated = is_negated || folded == "not";
            (Sort::Connective, FirstWord::Conditions { is_negated })
        }
        (Expected::Condition { is_negated }, _) => relation(false, !is_negated),
        (Expected::Term { argument, is_bound }, _) => {
            (Sort::Term(argument), FirstWord::Terms { is_bound })
        }
    }
}

/// For every token, whether it is a parenthesis with a counterpart.
fn matched(tokens: &[SyntaxToken]) -> Vec<bool> {
    let mut matched = vec![false; tokens.len()];
    let mut open = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(number),
            TokenKind::Close => {
                if let Some(counterpart) = open.pop() {
                    matched[counterpart] = true;
                    matched[number] = true;
                }
            }
            _ => {}
        }
    }
    matched
}
