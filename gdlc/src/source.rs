//! Rule sheets as text, and positions in them.

use std::sync::Arc;

/// The text of a rule sheet and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name that diagnostics show, usually the path as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// A named text; reference-counted, since every diagnostic holds its source.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            text: text.into(),
        })
    }

    /// The one-based line and column of a byte offset; columns count characters.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }

    /// The start of a span as `name:line:column`.
    #[must_use]
    pub fn position(&self, span: Span) -> String {
        let (line, column) = self.line_column(span.start as usize);
        format!("{}:{line}:{column}", self.name)
    }
}

/// A range of bytes in a [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end`, which are below 4 GiB in every source that
    /// is accepted.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The text under the span.
    #[must_use]
    pub fn text<'a>(&self, source: &'a Source) -> &'a str {
        source
            .text
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}
