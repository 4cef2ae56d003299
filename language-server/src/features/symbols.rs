//! The outline of a sheet.

use crate::analysis::SheetAnalysis;
use crate::names::{Occurrence, Outline};
use gdlc::source::Span;
use lsp_types::{DocumentSymbol, SymbolKind};

/// The names of statements in an outline are cut to this number of characters.
const MAX_NAME: usize = 80;

/// Statements about one relation that follow each other are one symbol; if there are
/// several, they are its children.
#[must_use]
pub fn symbols(analysis: &SheetAnalysis) -> Vec<DocumentSymbol> {
    let occurrences = &analysis.sheet.occurrences;
    let headed: Vec<(&Outline, &Occurrence)> = (analysis.sheet.statements.iter())
        .filter_map(|outline| Some((outline, occurrences.get(outline.head?)?)))
        .collect();
    headed
        .chunk_by(|(_, one), (_, next)| one.folded == next.folded && one.arity == next.arity)
        .filter_map(|group| group_symbol(analysis, group))
        .collect()
}

fn group_symbol(
    analysis: &SheetAnalysis,
    group: &[(&Outline, &Occurrence)],
) -> Option<DocumentSymbol> {
    let (&(first, head), &(last, _)) = (group.first()?, group.last()?);
    let kind = match head.keyword() {
        Some(_) => SymbolKind::EVENT,
        None => SymbolKind::FUNCTION,
    };
    let name = format!("{}/{}", analysis.text(head.span), head.arity);
    let span = Span {
        start: first.span.start,
        end: last.span.end,
    };
    let mut symbol = symbol(analysis, name, kind, span, head);
    if group.len() > 1 {
        symbol.detail = Some(format!("{} statements", group.len()));
        let children = group.iter().map(|(outline, head)| {
            let text = analysis.text(outline.span);
            let rule = inside_of_rule(text).filter(|_| outline.is_rule);
            symbol_of_statement(analysis, rule.unwrap_or(text), outline, head)
        });
        symbol.children = Some(children.collect());
    }
    Some(symbol)
}

/// What stands behind the arrow of a rule.
fn inside_of_rule(text: &str) -> Option<&str> {
    let rule = text.strip_prefix('(')?.trim_start().strip_prefix("<=")?;
    Some(rule.strip_suffix(')').unwrap_or(rule))
}

/// A statement by its first line.
fn symbol_of_statement(
    analysis: &SheetAnalysis,
    text: &str,
    outline: &Outline,
    head: &Occurrence,
) -> DocumentSymbol {
    let line = text.trim_start().lines().next().unwrap_or("");
    let name = line.chars().take(MAX_NAME).collect();
    symbol(analysis, name, SymbolKind::CONSTANT, outline.span, head)
}

#[allow(
    deprecated,
    reason = "the protocol's type has a field that nobody should use"
)]
fn symbol(
    analysis: &SheetAnalysis,
    name: String,
    kind: SymbolKind,
    span: Span,
    head: &Occurrence,
) -> DocumentSymbol {
    DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: analysis.range(span),
        selection_range: analysis.range(head.span),
        children: None,
    }
}
