//! Splits a text into its top-level expressions by counting parentheses.
//!
//! This runs before the grammar does, for two reasons: the grammar recurses, so
//! nesting has to be limited beforehand; and each expression is parsed alone, so
//! that an error in one does not hide those in others.

use crate::diag::Sink;
use crate::source::Span;

/// The maximum nesting of parentheses; public rule sheets stay below 20.
pub const MAX_DEPTH: usize = 200;

/// The maximum number of unclosed expressions before the rest of a text is
/// skipped: each costs a scan to the end.
const MAX_RECOVERIES: usize = 20;

/// The spans of the balanced top-level expressions of `text`, in order.
pub fn split(text: &str, sink: &mut Sink) -> Vec<Span> {
    let mut splitter = Splitter {
        text: text.as_bytes(),
        position: if text.starts_with('\u{feff}') { 3 } else { 0 },
        expressions: Vec::new(),
    };
    let mut recoveries = 0;
    while let Some(start) = splitter.next_start() {
        match splitter.text[start] {
            b'(' => match splitter.closing(start) {
                Ok(end) => splitter.expressions.push(Span::new(start, end)),
                Err(error) => {
                    report(&error, start, sink);
                    recoveries += 1;
                    if recoveries > MAX_RECOVERIES {
                        break;
                    }
                }
            },
            b')' => {
                sink.error("syntax", Span::new(start, start + 1), "unmatched `)`")
                    .label("closes nothing");
                splitter.position = start + 1;
            }
            _ => {
                splitter.skip_word();
                // It may consist of non-ASCII blanks, which word processors insert.
                if !text[start..splitter.position].trim().is_empty() {
                    splitter
                        .expressions
                        .push(Span::new(start, splitter.position));
                }
            }
        }
    }
    splitter.expressions
}

/// Why an expression is left out.
enum SplitError {
    /// The text ends inside it.
    Unclosed,
    /// The parenthesis at this offset nests too deeply.
    TooDeep(usize),
}

fn report(error: &SplitError, start: usize, sink: &mut Sink) {
    match *error {
        SplitError::Unclosed => sink
            .error(
                "syntax",
                Span::new(start, start + 1),
                "this `(` is never closed",
            )
            .label("opened here")
            .note("a `)` is missing somewhere after it"),
        SplitError::TooDeep(offset) => sink
            .error(
                "syntax",
                Span::new(offset, offset + 1),
                format!("parentheses are nested more than {MAX_DEPTH} deep"),
            )
            .label("one too many"),
    };
}

struct Splitter<'a> {
    text: &'a [u8],
    position: usize,
    expressions: Vec<Span>,
}

impl Splitter<'_> {
    /// The offset of the next byte that is neither blank nor part of a comment.
    fn next_start(&mut self) -> Option<usize> {
        loop {
            match self.text.get(self.position)? {
                b';' => self.skip_comment(),
                byte if byte.is_ascii_whitespace() => self.position += 1,
                _ => return Some(self.position),
            }
        }
    }

    fn skip_comment(&mut self) {
        let rest = &self.text[self.position..];
        let length = rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
        self.position += length.unwrap_or(rest.len());
    }

    fn skip_word(&mut self) {
        let ends = |&byte: &u8| matches!(byte, b'(' | b')' | b';') || byte.is_ascii_whitespace();
        let rest = &self.text[self.position..];
        self.position += rest.iter().position(ends).unwrap_or(rest.len());
    }

    /// The offset after the parenthesis that closes the one at `start`. Sets
    /// `position` to where the next expression may begin. After an error, that is
    /// the next opening parenthesis at the start of a line, which most likely opens a
    /// new statement.
    fn closing(&mut self, start: usize) -> Result<usize, SplitError> {
        let mut depth = 0;
        let mut too_deep = None;
        let mut resume = None;
        self.position = start;
        while let Some(&byte) = self.text.get(self.position) {
            match byte {
                b';' => {
                    self.skip_comment();
                    continue;
                }
                b'(' => {
                    if depth == MAX_DEPTH && too_deep.is_none() {
                        too_deep = Some(self.position);
                    }
                    let starts_line = depth > 0 && self.text[self.position - 1] == b'\n';
                    if starts_line && resume.is_none() {
                        resume = Some(self.position);
                    }
                    depth += 1;
                }
                b')' => depth -= 1,
                _ => {}
            }
            self.position += 1;
            if depth == 0 {
                return too_deep.map_or(Ok(self.position), |at| Err(SplitError::TooDeep(at)));
            }
        }
        self.position = resume.unwrap_or(self.text.len());
        Err(too_deep.map_or(SplitError::Unclosed, SplitError::TooDeep))
    }
}
