//! A text as nested lists with their comments, and what its author's line breaks say.

use crate::source::Span;
use crate::syntax::{SyntaxToken, TokenKind, tokenize};

/// A word, a comment or a list, and how it stood in the text.
#[derive(Debug)]
pub struct LayoutPiece<'t> {
    pub content: Content<'t>,
    /// The line breaks between it and the token before.
    pub breaks: usize,
    /// Its width in columns on one line; `None` if it must not be on one line.
    pub width: Option<usize>,
}

#[derive(Debug)]
pub enum Content<'t> {
    Word(&'t str),
    Comment(&'t str),
    List(Vec<LayoutPiece<'t>>),
}

impl<'t> LayoutPiece<'t> {
    pub fn is_comment(&self) -> bool {
        matches!(self.content, Content::Comment(_))
    }

    /// The word itself, or the one that a list begins with.
    pub fn name(&self) -> Option<&'t str> {
        match &self.content {
            Content::Word(word) => Some(word),
            Content::Comment(_) => None,
            Content::List(pieces) => match pieces.first()?.content {
                Content::Word(word) => Some(word),
                _ => None,
            },
        }
    }

    /// Whether a list consists of conditions: a rule, `and`, `or` or `not`.
    pub fn has_conditions(&self) -> bool {
        let words = ["<=", "and", "or", "not"];
        matches!(self.content, Content::List(_))
            && self
                .name()
                .is_some_and(|name| words.iter().any(|word| name.eq_ignore_ascii_case(word)))
    }

    fn list(pieces: Vec<Self>, breaks: usize) -> Self {
        let widths: Option<usize> = pieces.iter().map(|piece| piece.width).sum();
        let blanks = pieces.len().saturating_sub(1);
        let mut list = Self {
            content: Content::List(pieces),
            breaks,
            width: widths.map(|width| width + blanks + 2),
        };
        if list.has_conditions() && list.is_broken_between_arguments() {
            list.width = None;
        }
        list
    }

    fn is_broken_between_arguments(&self) -> bool {
        match &self.content {
            Content::List(pieces) => pieces.iter().skip(2).any(|piece| piece.breaks > 0),
            _ => false,
        }
    }
}

/// The statements and comments of a text whose parentheses are balanced.
pub fn read(text: &str) -> Vec<LayoutPiece<'_>> {
    let mut reader = TreeReader {
        text,
        end: 0,
        pieces: Vec::new(),
        open: Vec::new(),
    };
    for token in tokenize(text) {
        reader.add(token);
    }
    while !reader.open.is_empty() {
        reader.close();
    }
    reader.pieces
}

struct TreeReader<'t> {
    text: &'t str,
    /// Where the last token ended.
    end: u32,
    /// The pieces of the innermost open list so far.
    pieces: Vec<LayoutPiece<'t>>,
    /// For every open list, the line breaks before it and what precedes it in the
    /// enclosing list.
    open: Vec<(usize, Vec<LayoutPiece<'t>>)>,
}

impl<'t> TreeReader<'t> {
    fn add(&mut self, token: SyntaxToken) {
        let breaks = line_breaks(self.slice(Span {
            start: self.end,
            end: token.span.start,
        }));
        self.end = token.span.end;
        let text = self.slice(token.span);
        match token.kind {
            TokenKind::Open => self.open.push((breaks, std::mem::take(&mut self.pieces))),
            TokenKind::Close => self.close(),
            TokenKind::Comment => self.pieces.push(LayoutPiece {
                content: Content::Comment(text.trim_end()),
                breaks,
                width: None,
            }),
            TokenKind::Variable | TokenKind::Symbol | TokenKind::Unknown => {
                self.pieces.push(LayoutPiece {
                    content: Content::Word(text),
                    breaks,
                    width: Some(text.chars().count()),
                });
            }
        }
    }

    fn close(&mut self) {
        if let Some((breaks, before)) = self.open.pop() {
            let pieces = std::mem::replace(&mut self.pieces, before);
            self.pieces.push(LayoutPiece::list(pieces, breaks));
        }
    }

    fn slice(&self, span: Span) -> &'t str {
        let range = span.start as usize..span.end as usize;
        self.text.get(range).unwrap_or("")
    }
}

/// The line breaks in a blank: line feeds, or carriage returns where these end lines.
fn line_breaks(blank: &str) -> usize {
    let count = |end| blank.matches(end).count();
    count('\n').max(count('\r'))
}
