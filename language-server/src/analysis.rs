//! A text with everything that answers are made from.

use crate::line_index::LineIndex;
use crate::names::Occurrence;
use crate::sheet::Sheet;
use gdlc::diag::Diagnostic;
use gdlc::rules::{Program, RelationId, check};
use gdlc::source::{Source, Span};
use lsp_types::{Position, Range};
use std::sync::Arc;

/// Texts of more bytes than this are not analysed. The largest public rule sheet has
/// 69 kB.
pub const MAX_BYTES: usize = 1 << 20;

/// A version of a rule sheet, analysed.
#[derive(Debug)]
pub struct SheetAnalysis {
    /// The text.
    pub source: Arc<Source>,
    /// Its lines.
    pub lines: LineIndex,
    /// Its statements and names.
    pub sheet: Sheet,
    /// What the compiler finds.
    pub diagnostics: Vec<Diagnostic>,
    /// The program of the last version that had no errors, if there was one.
    pub program: Option<Arc<Program>>,
    /// Whether that is an earlier version than this one.
    pub is_earlier: bool,
    /// Whether the text is too large to be analysed.
    pub is_too_large: bool,
}

impl SheetAnalysis {
    /// Analyses a text; `earlier` is the program of an earlier version.
    #[must_use]
    pub fn new(name: &str, text: &str, earlier: Option<Arc<Program>>) -> Self {
        let is_too_large = text.len() > MAX_BYTES;
        let source = Source::new(name, if is_too_large { "" } else { text });
        let (program, diagnostics) = if is_too_large {
            (None, vec![too_large(&source, text.len())])
        } else {
            let checked = check(source.clone());
            (checked.program, checked.diagnostics)
        };
        let is_earlier = program.is_none();
        Self {
            lines: LineIndex::new(&source.text),
            sheet: Sheet::read(&source),
            diagnostics,
            program: program.map(Arc::new).or(earlier),
            is_earlier,
            is_too_large,
            source,
        }
    }

    /// The byte at a position.
    #[must_use]
    pub fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.source.text, position)
    }

    /// The range of a span.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        self.lines.range(&self.source.text, span)
    }

    /// The text of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        span.text(&self.source)
    }

    /// The word at a position.
    #[must_use]
    pub fn word(&self, position: Position) -> Option<&Occurrence> {
        self.sheet.at(self.offset(position))
    }

    /// The text of the statement that a head belongs to.
    #[must_use]
    pub fn statement(&self, head: &Occurrence) -> &str {
        let statement = self.sheet.statements.get(head.statement);
        statement.map_or("", |statement| self.text(statement.span))
    }

    /// A relation of the program of the last version without errors.
    #[must_use]
    pub fn relation(&self, folded: &str, arity: usize) -> Option<(&Program, RelationId)> {
        let program = self.program.as_deref()?;
        program
            .relations
            .iter_ids()
            .find(|(id, relation)| {
                relation.arity == arity && program.relation_name(*id).to_lowercase() == folded
            })
            .map(|(id, _)| (program, id))
    }
}

fn too_large(source: &Arc<Source>, length: usize) -> Diagnostic {
    let message = format!("the text has {length} bytes; at most {MAX_BYTES} are analysed");
    Diagnostic::error("too-large", source, Span::default(), message)
}
