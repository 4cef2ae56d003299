//! The findings of the checks, for an editor that counts in UTF-16 units.

use gdlc::diag::Diagnostic;
use gdlc::source::{Source, Span};
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
    /// A diagnostic of the checks.
    #[must_use]
    pub fn new(diagnostic: &Diagnostic) -> Self {
        let (from, to) = utf16_range(&diagnostic.source, diagnostic.span);
        let label = Some(&diagnostic.label).filter(|label| !label.is_empty());
        let places = diagnostic.secondary.iter().map(|(span, label)| {
            let (line, column) = diagnostic.source.line_column(span.start as usize);
            format!("line {line}, column {column}: {label}")
        });
        Self {
            from,
            to,
            severity: diagnostic.severity.to_string(),
            message: diagnostic.message.clone(),
            notes: label
                .cloned()
                .into_iter()
                .chain(places)
                .chain(diagnostic.notes.iter().cloned())
                .collect(),
        }
    }
}

/// The findings in a text, and whether it can be played.
#[must_use]
pub fn check(text: &str) -> (Vec<Finding>, bool) {
    let checked = gdlc::rules::check(Source::new("rules", text));
    let findings = checked.diagnostics.iter().map(Finding::new).collect();
    (findings, checked.program.is_some())
}

/// A span in UTF-16 units.
fn utf16_range(source: &Source, span: Span) -> (usize, usize) {
    let units = |end: u32| {
        let end = source.text.floor_char_boundary(end as usize);
        source.text[..end].encode_utf16().count()
    };
    (units(span.start), units(span.end))
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
}
