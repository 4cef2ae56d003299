//! Renders diagnostics as text, each with an excerpt of its source.
//!
//! Cost and size are limited whatever the source: the renderer gets only the
//! lines around a diagnostic, only a window of very long lines, and only the
//! first of very many diagnostics.

use super::{Diagnostic, Severity};
use crate::source::{Source, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// The maximum number of diagnostics shown; the rest is only counted.
const MAX_SHOWN: usize = 100;

/// The maximum length in bytes of an excerpt with several marked spans; if they
/// are further apart, each gets an excerpt of its own.
const MAX_EXCERPT: usize = 16_000;

/// The number of bytes shown before a marked span in a line that is too long;
/// twice as many are shown after its start.
const WINDOW: usize = 60;

/// The length in bytes above which only a window of a line is shown.
const LONG_LINE: usize = 1_000;

/// The diagnostics as text, each with an excerpt of its source, with terminal
/// colours if `color` is set.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text: String = diagnostics
        .iter()
        .take(MAX_SHOWN)
        .map(|diagnostic| render_one(diagnostic, &renderer) + "\n\n")
        .collect();
    if let Some(more @ 1..) = diagnostics.len().checked_sub(MAX_SHOWN) {
        text.push_str(&format!("... and {more} more\n\n"));
    }
    text
}

fn render_one(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut marks = vec![MarkedSpan {
        span: diagnostic.span,
        label: &diagnostic.label,
        kind: AnnotationKind::Primary,
    }];
    marks.extend(diagnostic.secondary.iter().map(|(span, label)| MarkedSpan {
        span: *span,
        label,
        kind: AnnotationKind::Context,
    }));
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title);
    for excerpt in excerpts(&diagnostic.source, &marks) {
        group = excerpt.add_to(group, &diagnostic.source);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    renderer.render(&[group])
}

/// A span to underline.
#[derive(Clone, Copy)]
struct MarkedSpan<'a> {
    span: Span,
    label: &'a str,
    kind: AnnotationKind,
}

/// A part of the source with marked spans.
struct Excerpt<'a> {
    range: Range<usize>,
    marks: Vec<MarkedSpan<'a>>,
    /// Whether the range is a part of a line rather than whole lines.
    is_window: bool,
}

/// One excerpt for all marked spans if they are near each other, else one for
/// each.
fn excerpts<'a>(source: &Source, marks: &[MarkedSpan<'a>]) -> Vec<Excerpt<'a>> {
    let lines: Vec<_> = marks
        .iter()
        .map(|mark| lines_around(source, mark.span))
        .collect();
    let start = lines.iter().map(|lines| lines.start).min().unwrap_or(0);
    let end = lines.iter().map(|lines| lines.end).max().unwrap_or(0);
    let has_long_line = source.text[start..end]
        .split('\n')
        .any(|line| line.len() > LONG_LINE);
    if end - start <= MAX_EXCERPT && !has_long_line {
        return vec![Excerpt {
            range: start..end,
            marks: marks.to_vec(),
            is_window: false,
        }];
    }
    let alone = |(mark, lines): (&MarkedSpan<'a>, &Range<usize>)| {
        let is_window = lines.len() > LONG_LINE;
        Excerpt {
            range: if is_window {
                window(source, mark.span)
            } else {
                lines.clone()
            },
            marks: vec![*mark],
            is_window,
        }
    };
    marks.iter().zip(&lines).map(alone).collect()
}

/// The range of the lines that a span touches, including their ends.
fn lines_around(source: &Source, span: Span) -> Range<usize> {
    let text = source.text.as_bytes();
    let (start, end) = (span.start as usize, span.end as usize);
    let line_start = text[..start].iter().rposition(|&byte| byte == b'\n');
    let rest = text[end..].iter().position(|&byte| byte == b'\n');
    line_start.map_or(0, |newline| newline + 1)..rest.map_or(text.len(), |length| end + length + 1)
}

/// A few characters around the start of a span, within its line.
fn window(source: &Source, span: Span) -> Range<usize> {
    let lines = lines_around(
        source,
        Span {
            end: span.start,
            ..span
        },
    );
    let at = span.start as usize;
    let start = source
        .text
        .floor_char_boundary(at.saturating_sub(WINDOW).max(lines.start));
    let end = source
        .text
        .ceil_char_boundary((at + 2 * WINDOW).min(lines.end));
    start..end
}

impl<'a> Excerpt<'a> {
    fn add_to(self, group: Group<'a>, source: &'a Source) -> Group<'a> {
        let Range { start, end } = self.range;
        let annotations = self.marks.iter().map(|mark| annotation(mark, start, end));
        let (first_line, _) = source.line_column(start);
        let snippet = Snippet::source(&source.text[start..end])
            .line_start(first_line)
            .annotations(annotations);
        if !self.is_window {
            return group.element(snippet.path(&source.name));
        }
        let at = self
            .marks
            .first()
            .map_or(start, |mark| mark.span.start as usize);
        let (line, column) = source.line_column(at);
        let origin = Origin::path(&source.name).line(line).char_column(column);
        group.element(origin).element(snippet)
    }
}

/// The annotation of a marked span in the excerpt from `start` to `end`.
fn annotation<'a>(mark: &MarkedSpan<'a>, start: usize, end: usize) -> Annotation<'a> {
    let within = |offset: u32| (offset as usize).clamp(start, end) - start;
    let annotation = mark
        .kind
        .span(within(mark.span.start)..within(mark.span.end));
    if mark.label.is_empty() {
        annotation
    } else {
        annotation.label(mark.label)
    }
}
