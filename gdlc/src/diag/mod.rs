//! Diagnostics: what is wrong with a rule sheet, and where.
//!
//! Stages report into a [`Sink`] and go on, so that one run finds all errors.

mod render;

pub use render::render;

use crate::source::{Source, Span};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The maximum number of diagnostics kept per source: a hostile text could fill
/// the memory.
const MAX_KEPT: usize = 1_000;

/// The maximum length of a message in bytes; names in messages can be of any
/// length.
const MAX_TEXT: usize = 400;

/// Whether a finding prevents the use of a rule sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rule sheet cannot be used.
    Error,
    /// The rule sheet can be used, but something looks unintended.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it is an error.
    pub severity: Severity,
    /// A stable name for the kind of finding, such as `unsafe-variable`.
    pub code: &'static str,
    /// What is wrong, on one line.
    pub message: String,
    /// The text that `span` refers to.
    pub source: Arc<Source>,
    /// The part that is underlined.
    pub span: Span,
    /// A label beside the underline; may be empty.
    pub label: String,
    /// Further parts that belong to the finding, each with a label.
    pub secondary: Vec<(Span, String)>,
    /// Explanations below the excerpt.
    pub notes: Vec<String>,
    /// What the author most likely meant.
    pub fix: Option<Fix>,
}

/// A change to the text that corrects what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The parts to replace, which do not overlap, and what replaces each.
    pub edits: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at `span`.
    #[must_use]
    pub fn error(
        code: &'static str,
        source: &Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: shortened(message.into()),
            source: source.clone(),
            span,
            label: String::new(),
            secondary: Vec::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// Sets the label beside the underline.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = shortened(label.into());
        self
    }

    /// Adds a further underlined part.
    pub fn also(&mut self, span: Span, label: impl Into<String>) -> &mut Self {
        self.secondary.push((span, shortened(label.into())));
        self
    }

    /// Adds an explanation.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(shortened(note.into()));
        self
    }

    /// Sets what the author most likely meant in every place.
    pub fn fix(&mut self, edits: impl IntoIterator<Item = (Span, String)>) -> &mut Self {
        let edits = edits.into_iter().collect();
        self.fix = Some(Fix { edits });
        self
    }

    /// The one-based line and column of the start of `span`.
    #[must_use]
    pub fn line_column(&self) -> (usize, usize) {
        self.source.line_column(self.span.start as usize)
    }
}

/// Cuts a text that quotes an absurdly long name.
fn shortened(mut text: String) -> String {
    if text.len() > MAX_TEXT {
        text.truncate(text.floor_char_boundary(MAX_TEXT));
        text.push('…');
    }
    text
}

/// Collects the diagnostics of one source.
#[derive(Debug)]
pub struct Sink {
    source: Arc<Source>,
    diagnostics: Vec<Diagnostic>,
    has_errors: bool,
    /// The number that were not kept, and the highest severity among them.
    dropped: usize,
    worst_dropped: Severity,
}

impl Sink {
    /// An empty sink for findings in `source`.
    #[must_use]
    pub fn new(source: Arc<Source>) -> Self {
        Self {
            source,
            diagnostics: Vec::new(),
            has_errors: false,
            dropped: 0,
            worst_dropped: Severity::Warning,
        }
    }

    /// The source that is being examined.
    #[must_use]
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Reports an error; the result takes labels and notes.
    pub fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.has_errors = true;
        self.push(Diagnostic::error(code, &self.source, span, message))
    }

    /// Reports a warning; the result takes labels and notes.
    pub fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, &self.source, span, message)
        })
    }

    /// Keeps a diagnostic; one beyond [`MAX_KEPT`] is dropped when the next arrives.
    fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        if self.diagnostics.len() > MAX_KEPT
            && let Some(dropped) = self.diagnostics.pop()
        {
            self.dropped += 1;
            self.worst_dropped = self.worst_dropped.min(dropped.severity);
        }
        self.diagnostics.push(diagnostic);
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    /// Whether an error was reported.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Everything that was reported, by position and without duplicates; if there
    /// are more than a thousand, the last diagnostic gives the number left out.
    #[must_use]
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let mut seen = BTreeSet::new();
        self.diagnostics
            .retain(|found| seen.insert((found.span, found.code, found.message.clone())));
        self.diagnostics
            .sort_by_key(|found| (found.span.start, found.severity, found.span.end));
        if self.dropped > 0 {
            let end = self.source.text.len();
            let message = format!("{} further findings are not listed", self.dropped);
            self.diagnostics.push(Diagnostic {
                severity: self.worst_dropped,
                ..Diagnostic::error("too-many", &self.source, Span::new(end, end), message)
            });
        }
        self.diagnostics
    }
}
