//! What the names in a text are, even while it is being typed.
//!
//! The compiler leaves out statements that it cannot read. An editor asks about these most
//! of all, so this reader accepts any text: a parenthesis that is not closed ends its
//! statement before the next line that begins with one.

use crate::names::{Occurrence, Outline};
use crate::nesting::{Nesting, Scope};
use gdlc::source::{Source, Span};
use gdlc::syntax::{SyntaxToken, TokenKind, tokenize};

/// A text as statements and the names in them.
#[derive(Debug)]
pub struct Sheet {
    tokens: Vec<SyntaxToken>,
    /// The statements in the order of the text.
    pub statements: Vec<Outline>,
    /// Every word in the order of the text.
    pub occurrences: Vec<Occurrence>,
}

impl Sheet {
    /// Reads any text.
    #[must_use]
    pub fn read(source: &Source) -> Self {
        let tokens = tokenize(&source.text);
        let mut nesting = Nesting::new(&source.text, &tokens);
        for (number, &token) in tokens.iter().enumerate() {
            nesting.add(number, token);
        }
        let (statements, occurrences) = nesting.finish();
        Self {
            tokens,
            statements,
            occurrences,
        }
    }

    /// The word at an offset, or the one that ends there.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<&Occurrence> {
        let ended = |word: &Occurrence| (word.span.end as usize) < offset;
        let first = self.occurrences.partition_point(ended);
        let touching = |word: &&Occurrence| word.span.start as usize <= offset;
        let mut words = self.occurrences[first..].iter().take_while(touching);
        let (one, next) = (words.next(), words.next());
        next.or(one)
    }

    /// What may be typed at an offset, in place of the word that ends there, if any; `None` in a
    /// comment.
    #[must_use]
    pub fn scope(&self, source: &Source, offset: usize) -> Option<Scope> {
        let is_before = |token: &&SyntaxToken| (token.span.end as usize) <= offset;
        let before = self.tokens.iter().take_while(is_before).count();
        let touched = self.touched(offset);
        if touched.is_some_and(|token| token.kind == TokenKind::Comment) {
            return None;
        }
        let mut nesting = Nesting::new(&source.text, &self.tokens);
        for (number, &token) in self.tokens[..before].iter().enumerate() {
            if !is_word(token) || touched != Some(token) {
                nesting.add(number, token);
            }
        }
        Some(nesting.scope())
    }

    /// All occurrences of what a word names: of a variable in its statement, of a relation
    /// with any number of arguments, or of a function or constant, everywhere.
    pub fn same<'a>(&'a self, word: &'a Occurrence) -> impl Iterator<Item = &'a Occurrence> {
        self.occurrences
            .iter()
            .filter(|other| other.names_same(word))
    }

    /// The heads of the statements about a relation.
    pub fn heads<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = &'a Occurrence> {
        self.statements
            .iter()
            .filter_map(|statement| self.occurrences.get(statement.head?))
            .filter(move |head| head.folded == folded)
    }

    /// The word that an offset is in or just after, or an empty span there.
    #[must_use]
    pub fn word_span(&self, offset: usize) -> Span {
        let word = self.touched(offset).filter(|&token| is_word(token));
        word.map_or(Span::new(offset, offset), |token| token.span)
    }

    /// The token that an offset is in or just after.
    fn touched(&self, offset: usize) -> Option<SyntaxToken> {
        let ended = |token: &SyntaxToken| (token.span.end as usize) < offset;
        let token = *self.tokens.get(self.tokens.partition_point(ended))?;
        ((token.span.start as usize) < offset).then_some(token)
    }
}

fn is_word(token: SyntaxToken) -> bool {
    use TokenKind::{Symbol, Unknown, Variable};
    matches!(token.kind, Symbol | Variable | Unknown)
}
