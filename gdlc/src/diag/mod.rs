//! Diagnostics: what is wrong with a rule sheet, and where.
//!
//! Stages report into a [`Sink`] and go on, so that one run tells everything.

mod render;

pub use render::render;

use crate::source::{Source, Span};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rule sheet cannot be used.
    Error,
    /// It can, but something looks unintended.
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
    /// How bad it is.
    pub severity: Severity,
    /// The kind of finding, in a word or two that stay the same: `unsafe-variable`.
    pub code: &'static str,
    /// What is wrong, on one line.
    pub message: String,
    /// The text that `span` refers to.
    pub source: Arc<Source>,
    /// What is underlined.
    pub span: Span,
    /// A remark beside the underline; may be empty.
    pub label: String,
    /// Further places that belong to it, each with a remark.
    pub secondary: Vec<(Span, String)>,
    /// Explanations below the excerpt.
    pub notes: Vec<String>,
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
            message: message.into(),
            source: source.clone(),
            span,
            label: String::new(),
            secondary: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Sets the remark beside the underline.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    /// Adds a further place.
    pub fn also(&mut self, span: Span, label: impl Into<String>) -> &mut Self {
        self.secondary.push((span, label.into()));
        self
    }

    /// Adds an explanation.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Line and column of the start of `span`, both from 1.
    #[must_use]
    pub fn line_column(&self) -> (usize, usize) {
        self.source.line_column(self.span.start as usize)
    }
}

/// Collects the diagnostics of one source.
#[derive(Debug)]
pub struct Sink {
    source: Arc<Source>,
    diagnostics: Vec<Diagnostic>,
}

impl Sink {
    /// An empty sink for findings in `source`.
    #[must_use]
    pub fn new(source: Arc<Source>) -> Self {
        Self {
            source,
            diagnostics: Vec::new(),
        }
    }

    /// The text that is looked at.
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
        let diagnostic = Diagnostic::error(code, &self.source, span, message);
        self.diagnostics.push(diagnostic);
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    /// Reports a warning; the result takes labels and notes.
    pub fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let diagnostic = self.error(code, span, message);
        diagnostic.severity = Severity::Warning;
        diagnostic
    }

    /// Whether an error was reported.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Everything that was reported, by position and without repetition.
    #[must_use]
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let mut seen = BTreeSet::new();
        self.diagnostics
            .retain(|found| seen.insert((found.span, found.code, found.message.clone())));
        self.diagnostics
            .sort_by_key(|found| (found.span.start, found.severity, found.span.end));
        self.diagnostics
    }
}
