//! Positions as editors count them: lines from 0, and UTF-16 code units in a line from 0.

use gdlc::source::Span;
use lsp_types::{Position, Range};

/// UTF-16 code units are counted once per this many bytes, so that positions in long
/// lines are found as fast as in short ones.
const BLOCK: usize = 64;

/// Where the lines of a text begin.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// The UTF-16 code units before each block of bytes.
    units: Vec<usize>,
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
        let mut before = 0;
        let mut units = vec![0];
        for block in bytes.chunks(BLOCK) {
            before += code_units(block);
            units.push(before);
        }
        Self {
            starts: std::iter::once(0).chain(following).collect(),
            units,
        }
    }

    /// The position of a byte of the text; one inside a character counts as its start.
    #[must_use]
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let units = self.units_before(text, offset) - self.units_before(text, self.starts[line]);
        Position::new(number(line), number(units))
    }

    /// The UTF-16 code units before a byte.
    fn units_before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.units[block] + code_units(&text.as_bytes()[block * BLOCK..offset])
    }

    /// The byte at a position. A position past a line's end is that end; one inside a
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

/// The UTF-16 code units of the characters that begin among some bytes: two where UTF-8 has
/// four bytes, else one.
fn code_units(bytes: &[u8]) -> usize {
    let units = |&byte: &u8| match byte {
        0x80..0xc0 => 0,
        0xf0.. => 2,
        _ => 1,
    };
    bytes.iter().map(units).sum()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
