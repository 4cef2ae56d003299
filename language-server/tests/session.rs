//! The protocol around the features.
#![allow(clippy::unwrap_used)]

use crate::editor::{Editor, URI};
use crate::features::GAME;
use gdl_lsp::SessionEnd;
use gdl_lsp::documents::MAX_DOCUMENTS;
use serde_json::{Value, json};

#[test]
fn sessions_end_as_the_editor_wants() {
    assert_eq!(Editor::new().quit(), SessionEnd::Shutdown);
    assert_eq!(Editor::with(GAME).0.leave(), SessionEnd::Abandoned);
}

#[test]
fn what_comes_between_shutdown_and_exit_does_no_harm() {
    let (mut editor, _) = Editor::with(GAME);
    editor.request("shutdown", Value::Null).unwrap();
    editor.notify("$/cancelRequest", json!({ "id": 1 }));
    editor.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": URI } }),
    );
    let error = editor.request("textDocument/hover", json!({})).unwrap_err();
    assert!(error.contains("shut down"), "{error}");
    assert_eq!(editor.exit(), SessionEnd::Shutdown);
    let (mut editor, _) = Editor::with(GAME);
    editor.request("shutdown", Value::Null).unwrap();
    assert_eq!(editor.leave(), SessionEnd::Abandoned);
}

#[test]
fn requests_that_make_no_sense_are_refused_and_the_session_goes_on() {
    let (mut editor, _) = Editor::with(GAME);
    let error = editor
        .request("textDocument/declaration", json!({}))
        .unwrap_err();
    assert!(
        error.contains("there is no method textDocument/declaration"),
        "{error}"
    );
    let error = editor
        .request("textDocument/hover", json!({ "position": 1 }))
        .unwrap_err();
    assert!(error.contains("cannot read the parameters"), "{error}");
    let closed = json!({ "uri": "file:///other.kif" });
    let params = json!({ "textDocument": closed, "position": { "line": 0, "character": 0 } });
    let error = editor.request("textDocument/hover", params).unwrap_err();
    assert!(error.contains("other.kif is not open"), "{error}");
    editor.notify("textDocument/didChange", json!("nonsense"));
    editor.notify("$/cancelRequest", json!({ "id": 1 }));
    let params = json!({ "textDocument": { "uri": URI } });
    editor
        .request("textDocument/documentSymbol", params)
        .unwrap();
    assert_eq!(editor.quit(), SessionEnd::Shutdown);
}

#[test]
fn the_number_of_open_texts_is_bounded() {
    let mut editor = Editor::new();
    let uri = |number: usize| format!("file:///{number}.kif");
    for number in 0..=MAX_DOCUMENTS {
        editor.open(&uri(number), GAME);
    }
    let mut symbols = |number| {
        let params = json!({ "textDocument": { "uri": uri(number) } });
        editor.request("textDocument/documentSymbol", params)
    };
    symbols(0).unwrap_err();
    symbols(1).unwrap();
    symbols(MAX_DOCUMENTS).unwrap();
}
