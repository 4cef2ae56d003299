//! Quick fixes: what the compiler thinks was meant.

use super::diagnostics::diagnostic;
use crate::analysis::SheetAnalysis;
use gdlc::diag::Fix;
use gdlc::source::Span;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Uri, WorkspaceEdit,
};

/// The fixes of what is found in a range.
#[must_use]
pub fn code_actions(analysis: &SheetAnalysis, uri: &Uri, range: Range) -> Vec<CodeActionOrCommand> {
    let (start, end) = (analysis.offset(range.start), analysis.offset(range.end));
    let touches = |span: Span| span.start as usize <= end && start <= span.end as usize;
    let mut actions = Vec::new();
    for found in analysis
        .diagnostics
        .iter()
        .filter(|found| touches(found.span))
    {
        let Some(fix) = &found.fix else {
            continue;
        };
        let edit = |&span: &Span| TextEdit::new(analysis.range(span), fix.text.clone());
        let edits = fix.spans.iter().map(edit).collect();
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: title(analysis, fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(analysis, uri, found)]),
            edit: Some(workspace_edit(uri, edits)),
            is_preferred: Some(true),
            ..CodeAction::default()
        }));
    }
    actions
}

fn title(analysis: &SheetAnalysis, fix: &Fix) -> String {
    let before = fix.spans.first().map_or("", |&span| analysis.text(span));
    match fix.spans.len() {
        0 | 1 => format!("Replace `{before}` by `{}`", fix.text),
        count => format!("Replace `{before}` by `{}` in {count} places", fix.text),
    }
}

/// Edits of one document.
#[must_use]
#[allow(clippy::mutable_key_type, reason = "the protocol's type has such keys")]
pub fn workspace_edit(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit::new([(uri.clone(), edits)].into())
}
