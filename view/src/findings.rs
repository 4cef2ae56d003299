//! The findings of the checks, for an editor that counts in UTF-16 units.

use std::collections::{BTreeMap, BTreeSet};

use gdlc::diag::Diagnostic;
use gdlc::source::Source;
use serde::Serialize;

/// A finding in a rule sheet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Where the underlined part begins, in UTF-16 units from the start of the text.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// Explanations.
    pub notes: Vec<String>,
}

impl Finding {
    fn new(diagnostic: &Diagnostic, places: &TextPlaces) -> Self {
        let label = Some(&diagnostic.label).filter(|label| !label.is_empty());
        let further = diagnostic.secondary.iter().map(|(span, label)| {
            let TextPlace { line, column, .. } = places.at(span.start);
            format!("line {line}, column {column}: {label}")
        });
        Self {
            from: places.at(diagnostic.span.start).units,
            to: places.at(diagnostic.span.end).units,
            severity: diagnostic.severity.to_string(),
            message: diagnostic.message.clone(),
            notes: label
                .cloned()
                .into_iter()
                .chain(further)
                .chain(diagnostic.notes.iter().cloned())
                .collect(),
        }
    }
}

/// The findings in a text, and whether it can be played.
#[must_use]
pub fn check(text: &str) -> (Vec<Finding>, bool) {
    let checked = gdlc::rules::check(Source::new("rules", text));
    let spans = checked.diagnostics.iter().flat_map(|diagnostic| {
        let further = diagnostic.secondary.iter().map(|(span, _)| *span);
        further.chain([diagnostic.span])
    });
    let places = TextPlaces::find(text, spans.flat_map(|span| [span.start, span.end]));
    let findings = checked.diagnostics.iter();
    let findings = findings.map(|diagnostic| Finding::new(diagnostic, &places));
    (findings.collect(), checked.program.is_some())
}

/// A place in a text.
#[derive(Debug, Clone, Copy)]
struct TextPlace {
    /// UTF-16 units before it.
    units: usize,
    /// Its line, from 1.
    line: usize,
    /// Its column in characters, from 1.
    column: usize,
}

impl TextPlace {
    const START: Self = Self {
        units: 0,
        line: 1,
        column: 1,
    };

    fn pass(&mut self, character: char) {
        self.units += character.len_utf16();
        self.column += 1;
        if character == '\n' {
            self.line += 1;
            self.column = 1;
        }
    }
}

/// Places in a text by their bytes. All are found in one pass: there may be as many findings as
/// there are words.
struct TextPlaces(BTreeMap<u32, TextPlace>);

impl TextPlaces {
    fn find(text: &str, offsets: impl Iterator<Item = u32>) -> Self {
        let (mut place, mut passed) = (TextPlace::START, 0);
        let offsets: BTreeSet<u32> = offsets.collect();
        let places = offsets.into_iter().map(|offset| {
            let end = text.floor_char_boundary(offset as usize);
            text[passed..end]
                .chars()
                .for_each(|character| place.pass(character));
            passed = end;
            (offset, place)
        });
        Self(places.collect())
    }

    fn at(&self, offset: u32) -> TextPlace {
        self.0.get(&offset).copied().unwrap_or(TextPlace::START)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_units() {
        let text = "; 🎲 dice\n(role player)\n(<= terminal (tru x))";
        let (findings, playable) = check(text);
        assert!(!playable);
        let units: Vec<u16> = text.encode_utf16().collect();
        let marked = |finding: &Finding| String::from_utf16_lossy(&units[finding.from..finding.to]);
        let found = findings
            .iter()
            .find(|finding| finding.message.contains("`tru`"));
        let found = found.expect("an undefined relation is reported");
        assert_eq!(marked(found), "(tru x)", "{found:?}");
    }

    #[test]
    fn places_are_those_of_the_source() {
        let source = Source::new("rules", "; 🎲 é\n\n(role player)\r\n🎲");
        let text = &source.text;
        let offsets = || 0..=u32::try_from(text.len() + 2).expect("it is short");
        let places = TextPlaces::find(text, offsets());
        for offset in offsets() {
            let TextPlace {
                units,
                line,
                column,
            } = places.at(offset);
            let before = &text[..text.floor_char_boundary(offset as usize)];
            assert_eq!(units, before.encode_utf16().count(), "{offset}");
            let known = source.line_column(offset as usize);
            assert_eq!((line, column), known, "{offset}");
        }
    }
}
