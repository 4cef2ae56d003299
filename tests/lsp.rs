//! `gdl lsp`: a session over standard input and output.
#![allow(clippy::unwrap_used)]

use crate::common::{self, command};
use serde_json::{Value, json};

fn message(content: &Value) -> String {
    let content = content.to_string();
    format!("Content-Length: {}\r\n\r\n{content}", content.len())
}

fn request(id: i32, method: &str, params: &Value) -> String {
    message(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn notification(method: &str, params: &Value) -> String {
    message(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

/// The start of a session in which a text is open.
fn opened(text: &str) -> String {
    let document = json!({
        "uri": "file:///game.kif", "languageId": "gdl", "version": 1, "text": text,
    });
    request(1, "initialize", &json!({ "capabilities": {} }))
        + &notification("initialized", &json!({}))
        + &notification("textDocument/didOpen", &json!({ "textDocument": document }))
}

/// What the server writes, and its exit code.
fn session(input: String) -> (Vec<Value>, i32) {
    let output = command::gdl(common::root(), &["lsp", "--stdio"])
        .write_stdin(input)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut rest = text.as_str();
    let mut messages = Vec::new();
    while let Some((header, after)) = rest.split_once("\r\n\r\n") {
        let length = header.strip_prefix("Content-Length: ").unwrap();
        let (content, after) = after.split_at(length.parse().unwrap());
        messages.push(serde_json::from_str(content).unwrap());
        rest = after;
    }
    (messages, output.status.code().unwrap())
}

#[test]
fn an_editor_opens_a_text_asks_and_quits() {
    let place = json!({
        "textDocument": { "uri": "file:///game.kif" },
        "position": { "line": 0, "character": 2 },
    });
    let input = opened("(role white)\n")
        + &request(2, "textDocument/hover", &place)
        + &request(3, "shutdown", &Value::Null)
        + &notification("exit", &Value::Null);
    let (messages, code) = session(input);
    assert_eq!(code, 0);
    assert_eq!(messages[0]["result"]["serverInfo"]["name"], "gdl");
    assert_eq!(messages[0]["result"]["capabilities"]["hoverProvider"], true);
    let hover = messages.iter().find(|message| message["id"] == 2).unwrap();
    let text = hover["result"]["contents"]["value"].as_str().unwrap();
    assert!(text.contains("takes part in the game"), "{text}");
    assert_eq!(messages.last().unwrap()["id"], 3);
}

#[test]
fn an_editor_that_leaves_or_talks_nonsense_is_told_by_the_exit_code() {
    let (messages, code) = session(opened("(role"));
    assert_eq!(code, 1);
    let found = &messages.last().unwrap()["params"]["diagnostics"];
    assert_eq!(found[0]["code"], "syntax");
    assert_eq!(session(String::new()).1, 1);
    assert_eq!(session("GET / HTTP/1.1\r\n\r\n".to_owned()).1, 2);
}
