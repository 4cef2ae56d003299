//! The compiler's findings as an editor shows them.

use crate::analysis::SheetAnalysis;
use gdlc::diag::{self, Severity};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Uri,
};

/// Everything found in a text.
#[must_use]
pub fn diagnostics(analysis: &SheetAnalysis, uri: &Uri) -> Vec<Diagnostic> {
    let found = analysis.diagnostics.iter();
    found
        .map(|found| diagnostic(analysis, uri, found))
        .collect()
}

/// One finding: its label and notes follow the message, its other places are related
/// information.
#[must_use]
pub fn diagnostic(analysis: &SheetAnalysis, uri: &Uri, found: &diag::Diagnostic) -> Diagnostic {
    let mut message = found.message.clone();
    if !found.label.is_empty() {
        message.push_str(&format!(" ({})", found.label));
    }
    for note in &found.notes {
        message.push_str(&format!("\n{note}"));
    }
    let related = found.secondary.iter().map(|(span, label)| {
        let location = Location::new(uri.clone(), analysis.range(*span));
        let message = label.clone();
        DiagnosticRelatedInformation { location, message }
    });
    Diagnostic {
        range: analysis.range(found.span),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(found.code.to_owned())),
        source: Some("gdl".to_owned()),
        message,
        related_information: Some(related.collect()),
        tags: (found.code == "never-used").then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}
