//! Texts that are being typed, and texts that nobody would type.
#![allow(clippy::unwrap_used)]

use crate::editor::{CURSOR, Editor, URI, position};
use crate::features::GAME;
use rand::prelude::*;
use rand::rngs::SmallRng;
use serde_json::{Value, json};

/// Asks everything about a place of a text; every request must be answered.
pub fn ask_everything(editor: &mut Editor, before: &str) {
    let document = json!({ "uri": URI });
    let place = json!({ "textDocument": document, "position": position(before) });
    let with = |more: Value| {
        let mut params = place.clone();
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        params
    };
    for method in ["hover", "definition", "documentHighlight", "completion"] {
        editor
            .request(&format!("textDocument/{method}"), place.clone())
            .unwrap();
    }
    let context = json!({ "context": { "includeDeclaration": true } });
    editor
        .request("textDocument/references", with(context))
        .unwrap();
    // May be refused.
    let _ = editor.request("textDocument/prepareRename", place.clone());
    let _ = editor.request("textDocument/rename", with(json!({ "newName": "other" })));
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": position(before) });
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": document, "range": range, "context": context });
    editor.request("textDocument/codeAction", params).unwrap();
    let params = json!({ "textDocument": document });
    editor
        .request("textDocument/documentSymbol", params)
        .unwrap();
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let params = json!({ "textDocument": document, "options": options });
    editor.request("textDocument/formatting", params).unwrap();
}

#[test]
fn a_statement_that_is_not_closed_hides_no_other() {
    let (mut editor, _) = Editor::with(GAME);
    let text = GAME.replace("(succ 1 2)", &format!("(<= (draw ?x) (succ ?x {CURSOR}"));
    let answer = editor.at(&text, "completion", json!({})).unwrap();
    assert_eq!(answer["items"][0]["label"], "?x");
    let params = json!({ "textDocument": { "uri": URI } });
    let symbols = editor
        .request("textDocument/documentSymbol", params)
        .unwrap();
    let names: Vec<_> = (symbols.as_array().unwrap().iter())
        .map(|symbol| symbol["name"].as_str().unwrap())
        .collect();
    let expected = [
        "role/1",
        "init/1",
        "draw/1",
        "legal/2",
        "next/1",
        "full/0",
        "goal/2",
        "terminal/0",
    ];
    assert_eq!(names, expected);
}

#[test]
fn what_is_known_of_a_relation_outlives_errors() {
    let (mut editor, _) = Editor::with(GAME);
    let text = format!("{GAME}(<= (draw)").replacen("(succ ?n", &format!("({CURSOR}succ ?n"), 1);
    let answer = editor.at(&text, "hover", json!({})).unwrap();
    let text = answer["contents"]["value"].as_str().unwrap();
    assert!(text.contains("static"), "{text}");
    assert!(
        text.contains("As of the last version without errors"),
        "{text}"
    );
}

#[test]
fn findings_follow_what_is_typed() {
    let (mut editor, found) = Editor::with(GAME);
    assert!(found.is_empty());
    editor.change("(role white");
    let (version, found) = editor.published();
    assert_eq!(version, 1);
    assert_eq!(found[0]["code"], "syntax");
    editor.change(GAME);
    let (version, found) = editor.published();
    assert_eq!(version, 2);
    assert!(found.is_empty());
    let closed = json!({ "textDocument": { "uri": URI } });
    editor.change("(role");
    assert!(!editor.findings().is_empty());
    editor.notify("textDocument/didClose", closed);
    assert!(
        editor.findings().is_empty(),
        "what is closed has no findings"
    );
    editor.quit();
}

#[test]
fn a_game_typed_from_start_to_end() {
    let mut editor = Editor::new();
    editor.open(URI, "");
    for (end, _) in GAME.char_indices() {
        editor.change(&GAME[..end]);
        ask_everything(&mut editor, &GAME[..end]);
    }
    editor.quit();
}

#[test]
fn random_texts_are_answered() {
    let mut random = SmallRng::seed_from_u64(gdl_testing::seed());
    let mut editor = Editor::new();
    editor.open(URI, "");
    let pieces = [
        "(",
        ")",
        "((",
        "(<= ",
        "?x",
        "?",
        " ",
        "\n",
        "\n(",
        ";",
        "\r",
        "\0",
        "🎲",
        "é",
        "true",
        "not",
        "or",
        "legal",
        "\u{feff}",
        "(does ?r ",
        "(role a)",
        "\u{a0}",
    ];
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..random.random_range(0..40) {
            text.push_str(pieces.choose(&mut random).unwrap());
        }
        editor.change(&text);
        for _ in 0..3 {
            let at = text.floor_char_boundary(random.random_range(0..=text.len()));
            ask_everything(&mut editor, &text[..at]);
        }
    }
    editor.quit();
}

#[test]
fn hostile_texts_are_bounded() {
    let mut editor = Editor::new();
    editor.open(URI, "");
    let texts = [
        "(".repeat(100_000),
        "(\n".repeat(50_000),
        ")".repeat(100_000),
        "(a ".repeat(30_000) + &")".repeat(30_000),
        "x".repeat(900_000),
        "(p ?x)\n".repeat(20_000),
        "(p é) ".repeat(20_000),
    ];
    for text in texts {
        editor.change(&text);
        ask_everything(&mut editor, &text[..text.len() / 2]);
    }
    let large = "; a comment\n".repeat(100_000);
    editor.change(&large);
    let found = loop {
        let (version, found) = editor.published();
        if version == 8 {
            break found;
        }
    };
    assert_eq!(found[0]["code"], "too-large");
    ask_everything(&mut editor, &large);
    editor.quit();
}

#[test]
fn positions_outside_the_text_are_its_end() {
    let (mut editor, _) = Editor::with(GAME);
    for (line, character) in [(0, 10_000), (10_000, 0), (u32::MAX, u32::MAX)] {
        let place = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": URI }, "position": place });
        editor.request("textDocument/hover", params).unwrap();
    }
}
