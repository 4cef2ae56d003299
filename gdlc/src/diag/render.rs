//! Renders diagnostics for people, each with an excerpt of its source.
//!
//! Cost and size stay bounded whatever the source: only the lines around a
//! diagnostic are handed to the renderer, of very long lines only a window,
//! and of very many diagnostics only the first.

use super::{Diagnostic, Severity};
use crate::source::{Source, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// More diagnostics than that are counted, not shown.
const MAX_SHOWN: usize = 100;

/// Places of one diagnostic that are further apart, in bytes, get an excerpt
/// each.
const MAX_EXCERPT: usize = 16_000;

/// Bytes shown to the left and right of a place in a line that is too long.
const WINDOW: usize = 60;

/// Lines above this many bytes are shown as a window.
const LONG_LINE: usize = 1_000;

/// The diagnostics as text for people, each with an excerpt of its source.
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
    let mut places = vec![MarkedSpan {
        span: diagnostic.span,
        label: &diagnostic.label,
        kind: AnnotationKind::Primary,
    }];
    places.extend(diagnostic.secondary.iter().map(|(span, label)| MarkedSpan {
        span: *span,
        label,
        kind: AnnotationKind::Context,
    }));
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title);
    for excerpt in excerpts(&diagnostic.source, &places) {
        group = excerpt.add_to(group, &diagnostic.source);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    renderer.render(&[group])
}

/// Something to underline.
#[derive(Clone, Copy)]
struct MarkedSpan<'a> {
    span: Span,
    label: &'a str,
    kind: AnnotationKind,
}

/// A part of the source with places in it.
struct Excerpt<'a> {
    range: Range<usize>,
    places: Vec<MarkedSpan<'a>>,
    /// Whether the range does not begin and end with a line.
    is_window: bool,
}

/// One excerpt for all places if they are near each other, else one for each.
fn excerpts<'a>(source: &Source, places: &[MarkedSpan<'a>]) -> Vec<Excerpt<'a>> {
    let lines: Vec<_> = places
        .iter()
        .map(|place| lines_around(source, place.span))
        .collect();
    let start = lines.iter().map(|lines| lines.start).min().unwrap_or(0);
    let end = lines.iter().map(|lines| lines.end).max().unwrap_or(0);
    let has_long_line = source.text[start..end]
        .split('\n')
        .any(|line| line.len() > LONG_LINE);
    if end - start <= MAX_EXCERPT && !has_long_line {
        return vec![Excerpt {
            range: start..end,
            places: places.to_vec(),
            is_window: false,
        }];
    }
    let alone = |(place, lines): (&MarkedSpan<'a>, &Range<usize>)| {
        let is_window = lines.len() > LONG_LINE;
        Excerpt {
            range: if is_window {
                window(source, place.span)
            } else {
                lines.clone()
            },
            places: vec![*place],
            is_window,
        }
    };
    places.iter().zip(&lines).map(alone).collect()
}

/// The range of the whole lines that a span touches, line ends included.
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
        let annotations = self
            .places
            .iter()
            .map(|place| annotation(place, start, end));
        let (first_line, _) = source.line_column(start);
        let snippet = Snippet::source(&source.text[start..end])
            .line_start(first_line)
            .annotations(annotations);
        if !self.is_window {
            return group.element(snippet.path(&source.name));
        }
        let at = self
            .places
            .first()
            .map_or(start, |place| place.span.start as usize);
        let (line, column) = source.line_column(at);
        let origin = Origin::path(&source.name).line(line).char_column(column);
        group.element(origin).element(snippet)
    }
}

/// The place as an annotation of the excerpt from `start` to `end`.
fn annotation<'a>(place: &MarkedSpan<'a>, start: usize, end: usize) -> Annotation<'a> {
    let within = |offset: u32| (offset as usize).clamp(start, end) - start;
    let annotation = place
        .kind
        .span(within(place.span.start)..within(place.span.end));
    if place.label.is_empty() {
        annotation
    } else {
        annotation.label(place.label)
    }
}
