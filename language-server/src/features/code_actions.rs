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
        let edits = fix.edits.iter();
        let edits = edits.map(|(span, text)| TextEdit::new(analysis.range(*span), text.clone()));
        let edits = edits.collect();
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
    let Some((first, text)) = fix.edits.first() else {
        return "Replace nothing".to_owned();
    };
    let before = analysis.text(*first);
    let places = fix.edits.len();
    let is_same = |edit: &(Span, String)| edit.1 == *text;
    match places {
        1 => format!("Replace `{before}` by `{text}`"),
        _ if fix.edits.iter().all(is_same) => {
            format!("Replace `{before}` by `{text}` in {places} places")
        }
        _ => format!("Replace `{before}` by `{text}`, and likewise in all {places} places"),
    }
}

/// Edits of one document.
#[must_use]
#[allow(clippy::mutable_key_type, reason = "the protocol's type has such keys")]
pub fn workspace_edit(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit::new([(uri.clone(), edits)].into())
}
