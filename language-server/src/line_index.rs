//! Positions as editors count them: lines from 0, and UTF-16 code units in a line from 0.

use gdlc::source::Span;
use lsp_types::{Position, Range};

/// Where the lines of a text begin.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// The lines of `text`, which end with a line feed, a carriage return or both.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let following = (0..bytes.len())
            .filter(|&at| ends_line(at))
            .map(|at| at + 1);
        Self {
            starts: std::iter::once(0).chain(following).collect(),
        }
    }

    /// The position of a byte of the text; one inside a character counts as its start.
    #[must_use]
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let units = text[self.starts[line]..offset].encode_utf16().count();
        Position::new(number(line), number(units))
    }

    /// The byte at a position. A position behind a line's end is that end; one inside a
    /// character is its start.
    #[must_use]
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next);
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += character.len_utf16();
            if units > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The range of a span of bytes.
    #[must_use]
    pub fn range(&self, text: &str, span: Span) -> Range {
        Range::new(
            self.position(text, span.start as usize),
            self.position(text, span.end as usize),
        )
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
