//! The tokens of a text: everything in it except blanks, comments included.
//!
//! Unlike a description, they lose nothing that an author wrote, and they exist for
//! every text, however incomplete.

use super::grammar::{Kif, Rule};
use crate::source::Span;
use pest::Parser as _;
use pest::iterators::Pair;

/// A word, a parenthesis or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxToken {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `?x`, the question mark included.
    Variable,
    /// Any other word.
    Symbol,
    /// From a semicolon to the end of the line, which is not part of it.
    Comment,
    /// A character that no word can contain, such as a control character.
    Unknown,
}

/// The tokens of a text, in order. What is between them is blank.
#[must_use]
pub fn tokenize(text: &str) -> Vec<SyntaxToken> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let offset = text.len() - rest.len();
    match Kif::parse(Rule::tokens, rest) {
        Ok(pairs) => pairs
            .flat_map(Pair::into_inner)
            .filter_map(|pair| token(&pair, offset))
            .collect(),
        // The grammar accepts every text.
        Err(_) => vec![SyntaxToken {
            kind: TokenKind::Unknown,
            span: Span::new(offset, text.len()),
        }],
    }
}

fn token(pair: &Pair<'_, Rule>, offset: usize) -> Option<SyntaxToken> {
    let kind = match pair.as_rule() {
        Rule::open => TokenKind::Open,
        Rule::close => TokenKind::Close,
        Rule::variable => TokenKind::Variable,
        Rule::symbol => TokenKind::Symbol,
        Rule::comment => TokenKind::Comment,
        Rule::unknown => TokenKind::Unknown,
        _ => return None,
    };
    let span = pair.as_span();
    Some(SyntaxToken {
        kind,
        span: Span::new(offset + span.start(), offset + span.end()),
    })
}
