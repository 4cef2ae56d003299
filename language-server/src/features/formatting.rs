//! The canonical layout as edits.

use crate::analysis::SheetAnalysis;
use lsp_types::{Position, Range, TextEdit};

/// The edit after which the text is in the canonical layout: none if it is already, or if
/// it cannot be read.
#[must_use]
pub fn formatting(analysis: &SheetAnalysis) -> Vec<TextEdit> {
    let text = analysis.source.text.as_str();
    let Ok(formatted) = gdlc::format::format(&analysis.source) else {
        return Vec::new();
    };
    if formatted == text || analysis.is_too_large {
        return Vec::new();
    }
    // Lines that stay are left out of the edit, so that cursors in them stay as well.
    let same_lines = |(one, other): &(&str, &str)| one == other;
    let before: usize = text
        .split_inclusive('\n')
        .zip(formatted.split_inclusive('\n'))
        .take_while(same_lines)
        .map(|(line, _)| line.len())
        .sum();
    let (old, new) = (&text[before..], &formatted[before..]);
    let after: usize = old
        .split_inclusive('\n')
        .rev()
        .zip(new.split_inclusive('\n').rev())
        .take_while(same_lines)
        .map(|(line, _)| line.len())
        .sum();
    let position = |offset| -> Position { analysis.lines.position(text, offset) };
    let range = Range::new(position(before), position(text.len() - after));
    vec![TextEdit::new(range, new[..new.len() - after].to_owned())]
}
